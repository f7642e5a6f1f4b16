#!/bin/sh
# Two people submit entries, fight a match, and each reads the same verified match.
#
#     examples/server/two-people.sh http://127.0.0.1:8800 [SUFFIX OF THEIR HANDLES] [LEAGUE]
#
# Needs curl, and fracas to verify the replay.
set -eu

url=${1:-http://127.0.0.1:8800}
suffix=${2:-$$}
league=${3:-squads}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# ask METHOD PATH TOKEN [BODY]: prints the answer; a refused request ends the script with the problem.
ask() {
    if [ -n "$3" ]; then set -- "$1" "$2" "Authorization: Bearer $3" "${4:-}"; else set -- "$1" "$2" "Accept: */*" "${4:-}"; fi
    if [ -n "$4" ]; then
        curl -sS --fail-with-body -X "$1" "$url/api/v1$2" -H "$3" -H 'Content-Type: application/json' -d "$4"
    else
        curl -sS --fail-with-body -X "$1" "$url/api/v1$2" -H "$3"
    fi
}

# field NAME: the first text of that name in a JSON answer.
field() {
    sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p' | head -n 1
}

enter() {
    token=$(ask POST /accounts "" "{\"handle\": \"$1\", \"password\": \"correct horse battery\"}" | tr ',' '\n' | field token)
    entry=$(ask POST /entries "$token" "{\"league\": \"$league\", \"title\": \"$1\", \"ranked\": true, \"document\": $2}" | tr ',' '\n' | field entry)
    ask POST /tickets "$token" "{\"entry\": \"$entry\", \"salt\": \"a text of $1\"}" >/dev/null
}

enter "ann-$suffix" '{"units": ["scout", "bronze_knight", "novice_cleric"]}'
enter "bob-$suffix" '{"units": ["apprentice_wizard", "bronze_knight", "novice_cleric"], "strategy": "finish_the_weak"}'

# The matchmaker looks every second.
match=
tries=0
while [ -z "$match" ]; do
    tries=$((tries + 1))
    [ "$tries" -le 120 ] || { echo "no match after a minute" >&2; exit 1; }
    sleep 0.5
    match=$(ask GET "/matches?account=ann-$suffix&opponent=bob-$suffix" "" | tr '{,' '\n\n' | field id)
done

for who in ann bob; do
    ask GET "/matches?account=$who-$suffix" "" | tr '{,' '\n\n' | field id >"$folder/$who"
    ask GET "/matches/$match" "" >"$folder/match-$who.json"
done
cmp "$folder/match-ann.json" "$folder/match-bob.json"
cmp "$folder/ann" "$folder/bob"
ask GET "/matches/$match/legs/0/replay" "" >"$folder/replay.json"
fracas verify "$folder/replay.json"
echo "both read the same match: $url/m/$match"
