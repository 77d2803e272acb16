#!/bin/sh
# A USI engine that behaves as its arguments tell:
#
#   says WORD…   answers `go mate` with `checkmate WORD…`, after some information
#   prints LINE  answers with this line as it is
#   waits        answers only when told to stop
#   hangs        never answers; writes its process id, and that of a child of its own, to the file that FAKE_ENGINE_PIDS names
#   babbles      prints nonsense without end instead of an answer
#   exits        ends instead of an answer
#   crashes      is killed by a signal instead of an answer
#   deaf         never says `usiok`, and ends
how=$1
shift

hang() {
    trap '' TERM INT
    sleep 1000 &
    [ -z "$FAKE_ENGINE_PIDS" ] || echo "$$ $!" >"$FAKE_ENGINE_PIDS"
    wait
}

answer() {
    case $how in
    says)
        echo 'info depth 1 nodes 10'
        echo 'info string thinking'
        echo "info time 1 nodes 4711 pv $*"
        echo "checkmate $*"
        ;;
    prints) echo "$*" ;;
    hangs) hang ;;
    babbles) while :; do echo 'tick tock'; done ;;
    exits) exit 7 ;;
    crashes) kill -SEGV $$ ;;
    esac
}

while read -r command rest; do
    case $command in
    usi)
        [ "$how" != deaf ] || exit 5
        echo "id name fake that $how"
        echo usiok
        ;;
    setoption) how=$(echo "$rest" | sed -n 's/^name How value //p') ;;
    isready) echo readyok ;;
    go) answer "$@" ;;
    stop) echo 'checkmate timeout' ;;
    quit) exit 0 ;;
    esac
done
