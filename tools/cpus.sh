# For the scripts that test on CPUs other than the machine's; they source it.
# A script has an array `cpus` of rows `name|what it is|run by|backends|in .ci/run`, with the backends that the library must find.
# With --list it prints them, for tools/tested-cpus.

list_cpus() { # ARGUMENT...: prints the rows and ends, if the first argument asks for them
    if [ "${1-}" = --list ]; then printf '%s\n' "${cpus[@]}" && exit; fi
}

field() { # NAME NUMBER: of the row of that name
    local row
    for row in "${cpus[@]}"; do
        if [ "${row%%|*}" = "$1" ]; then cut -d'|' -f"$2" <<<"$row" && return; fi
    done
    echo "There is no CPU $1; there are: ${cpus[*]%%|*}." >&2
    return 2
}

# The names to test: those of CPUS, or those that .ci/run has; `all` is all of them.
chosen_cpus() {
    local row
    if [ -n "${CPUS-}" ] && [ "$CPUS" != all ]; then printf '%s\n' $CPUS && return; fi
    for row in "${cpus[@]}"; do
        if [ "${CPUS-}" = all ] || [ "${row##*|}" != no ]; then echo "${row%%|*}"; fi
    done
}

install() {
    if dpkg -s "$@" >/dev/null 2>&1; then return; fi
    local sudo=
    if [ "$(id -u)" != 0 ]; then sudo=sudo; fi
    $sudo apt-get update -qq
    $sudo apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

# apt-get or apt-cache as on Debian 13, with lists and packages in FOLDER: what the system has stays as it is.
debian13() { # FOLDER COMMAND ARGUMENT...
    local dir=$1/apt
    mkdir -p "$dir/lists/partial" "$dir/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >"$dir/sources.list"
    "$2" -qq -o "Dir::Etc::SourceList=$dir/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State=$dir" -o "Dir::Cache=$dir" \
        -o Dir::State::status=/dev/null -o Debug::NoLocking=1 -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
        -o APT::Sandbox::User=root "${@:3}"
}

# Runs tests. If RECORD is set, adds a line to docs/tested-cpus.csv, whatever the tests say: the day, commit, script, CPU, version of
# what ran it, tests that passed, failed and were left out, and the arguments of cargo.
recorded() { # CPU VERSION ARGUMENTS COMMAND...
    if [ -z "${RECORD-}" ]; then "${@:4}" || return; return; fi
    local code=0 log
    log=$(mktemp)
    "${@:4}" 2>&1 | tee "$log" || code=$?
    tr -d '\r' <"$log" | awk -v row="$(date -u +%F),$(git -C "$root" rev-parse --short=8 HEAD),${0##*/},$1,$2" -v arguments="$3" '
        /^test result: / { passed += $4; failed += $6; left += $12 }
        END { printf "%s,%d,%d,%d,\"%s\"\n", row, passed, failed, left, arguments }' >>"$root/docs/tested-cpus.csv"
    rm "$log"
    return "$code"
}

cache=${XDG_CACHE_HOME:-$HOME/.cache}/icefish
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
