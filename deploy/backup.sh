#!/bin/sh
# Write today's backup into a folder, unless it is there, and remove those older than fourteen days.
#
#     backup.sh FOLDER
set -eu
folder=$1
today=$folder/fracas-$(date -u +%F).zip
if [ ! -e "$today" ]; then
    fracas server backup "$today"
fi
find "$folder" -name 'fracas-*.zip' -mtime +14 -delete
