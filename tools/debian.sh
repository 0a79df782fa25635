# Packages of Debian, for the scripts of this folder; each reads this file.

# Installs what is missing.
install() { # PACKAGE...
    if dpkg -s "$@" >/dev/null 2>&1; then return; fi
    local sudo=
    if [ "$(id -u)" != 0 ]; then sudo=sudo; fi
    $sudo apt-get update -qq &&
        $sudo apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

# Packages of other releases and architectures, to be downloaded and unpacked, not installed: an apt configuration of its own, by
# which the system's sources stay as they are. Then `apt` has the arguments for apt-get and apt-cache.
other_debian() { # DIRECTORY ARCHITECTURE SUITE...
    local directory=$1 architecture=$2 suite
    mkdir -p "$directory/lists/partial" "$directory/archives/partial" || return
    for suite in "${@:3}"; do
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main"
    done >"$directory/sources.list"
    apt=(-qq -o "Dir::Etc::SourceList=$directory/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State=$directory" -o "Dir::Cache=$directory" -o Dir::State::status=/dev/null -o Debug::NoLocking=1
        -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
        -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o APT::Sandbox::User=root)
    apt-get "${apt[@]}" update
}
