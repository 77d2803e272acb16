#!/usr/bin/env bash
# complete.bash PROGRAM COMPLETION LINE: what bash with the package bash-completion offers where TAB is pressed at the end of a
# command line; one a line, sorted.
source /usr/share/bash-completion/bash_completion
source "$2"
PATH=$(dirname "$1"):$PATH
compopt() { :; } # it speaks to a completion under way

# As bash does before it calls: the words, parted at = too.
COMP_LINE=$3
COMP_POINT=${#COMP_LINE}
read -ra COMP_WORDS <<<"${COMP_LINE//=/ = }"
[[ $COMP_LINE == *[\ =] ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))

_tsume
printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u
