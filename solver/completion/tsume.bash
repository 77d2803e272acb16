# tsume.bash: completion for bash, with the package bash-completion. Commands, options and their values are what
# `tsume --help` and `tsume COMMAND --help` say, so that nothing is to be kept up to date here.

_tsume_help() {
    LC_ALL=C "$tsume" "$@" --help 2>/dev/null
}

_tsume_commands() {
    _tsume_help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/\1/p'
}

# _tsume_options HELP: the options in it, one a line, with what is to follow: "--format=text|jsonl".
_tsume_options() {
    sed -n 's/^ \+\(-., \)\?\(--[^ ]\+\).*/\2/p' <<<"$1"
    sed -n 's/^ \+\(-.\), --[^ =]\+\(=[^ ]\+\)\?.*/\1\2/p' <<<"$1"
}

# _tsume_offer ACTION…: what compgen generates by the action, as far as it begins with the word under the cursor.
_tsume_offer() {
    mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
}

# _tsume_value PLACEHOLDER: completes the value of an option: words in small letters, or what a word in capitals stands for.
_tsume_value() {
    case $1 in
    *[a-z]*) _tsume_offer -W "${1//|/ }" ;;
    FILE*) _filedir ;;
    DIR) _filedir -d ;;
    COMMAND) _tsume_offer -c ;;
    esac
}

_tsume() {
    local cur prev words cword split
    _init_completion -s || return

    # The command is the first word that is neither an option nor, behind --lang, a language.
    local tsume=${words[0]/#\~/$HOME} command='' i
    for ((i = 1; i < cword; i++)); do
        case ${words[i]} in
        --lang) ((i++)) ;;
        -*) ;;
        *)
            command=${words[i]}
            break
            ;;
        esac
    done
    if [[ $prev == --lang ]]; then
        return
    elif [[ -z $command ]]; then
        _tsume_offer -W "$(_tsume_commands) help $(_tsume_help | sed -n 's/^  tsume \(--[a-z]\+\).*/\1/p')"
        return
    elif [[ $command == help ]]; then
        _tsume_offer -W "$(_tsume_commands)"
        return
    fi

    local help options option
    help=$(_tsume_help "$command")
    options=$(_tsume_options "$help")
    for option in $options; do
        if [[ $option == "$prev="* ]]; then
            _tsume_value "${option#*=}"
            return
        fi
    done
    if [[ $split == true ]]; then
        return
    elif [[ $cur == -* ]]; then
        _tsume_offer -W "$(sed 's/=.*//' <<<"$options")"
    elif [[ ${help%%$'\n'*} == *FILE* ]]; then
        _filedir
    fi
} && complete -F _tsume tsume
