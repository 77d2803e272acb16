#!/usr/bin/env -S zsh -f
# complete.zsh PROGRAM FOLDER LINE: what zsh offers where TAB is pressed at the end of a command line, by the completions in a
# folder; one a line, sorted. Completion works on a terminal only, so there is a shell on one of zpty's.
zmodload zsh/zpty
export COMPLETION_PATH=${1:a:h} COMPLETION_FOLDER=${2:a}

setup=$(mktemp)
trap 'rm -f $setup' EXIT
cat >$setup <<'END'
PROMPT=
path=($COMPLETION_PATH $path)
fpath=($COMPLETION_FOLDER $fpath)
autoload -Uz compinit && compinit -u -D
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
mark() { print -r -- '<mark>' }
compprefuncs=(mark)
comppostfuncs=(mark exit)
# All matches pass here. With -O, -A or -D it only sifts.
compadd() {
    local -a matches
    if [[ ${@[1,(i)(-|--)]} != *-[OAD]\ * ]]; then
        builtin compadd -O matches "$@"
        print -rl -- $matches
    else
        builtin compadd "$@"
    fi
}
print ready
END

zpty shell zsh -f -i
zpty -w shell "source $setup"
zpty -r -m shell answer '*ready*'
zpty -w -n shell "$3"$'\t'
answer=
while zpty -r shell part; do answer+=$part; done
print -r -- $answer | tr -d '\r' | sed -n '/<mark>/,/<mark>/{/<mark>/!p}' | sort -u
