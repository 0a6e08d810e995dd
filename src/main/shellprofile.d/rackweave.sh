#!/usr/bin/env bash
# Makes Rackweave part of an installed Hadoop: puts its jar on the class path of daemons and
# commands, and adds 'hdfs rackweave'. Hadoop reads it, or a link to it, in libexec/shellprofile.d
# and in shellprofile.d of its configuration directory.
#
#   RACKWEAVE_HOME       what the archive was unpacked into; found by this file's place unless set
#   HDFS_RACKWEAVE_OPTS  flags for the Java virtual machine of 'hdfs rackweave'

# Twice where both directories have it.
if ! declare -f hdfs_subcommand_rackweave >/dev/null 2>&1; then

hadoop_add_profile rackweave

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  hadoop_add_subcommand "rackweave" admin "administer Rackweave: modes, rules, recovery, stripes"
fi

# The directory two above this file's, wherever links to it lie.
function _rackweave_find_home
{
  local file=$1 target
  while [[ -L "${file}" ]]; do
    target=$(readlink "${file}")
    case ${target} in
      /*) file=${target} ;;
      *) file=$(dirname "${file}")/${target} ;;
    esac
  done
  (cd -P "$(dirname "${file}")/../.." >/dev/null 2>&1 && pwd -P)
}

RACKWEAVE_HOME=${RACKWEAVE_HOME:-$(_rackweave_find_home "${BASH_SOURCE[0]}")}

function _rackweave_add_jar
{
  hadoop_add_classpath "${RACKWEAVE_HOME}/share/hadoop/rackweave/$1" \
    || hadoop_error "WARNING: no share/hadoop/rackweave/$1 in RACKWEAVE_HOME='${RACKWEAVE_HOME}'"
}

# For every daemon and command: the jar brings no library along.
function _rackweave_hadoop_classpath
{
  _rackweave_add_jar "rackweave-hdfs-@project.version@.jar"
}

function hdfs_subcommand_rackweave
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=org.rackweave.cli.Rackweave
  _rackweave_add_jar "rackweave-client-@project.version@.jar"
  _rackweave_add_jar "lib/picocli-@picocli.version@.jar"
  # Hadoop appends it last, and Java heeds the last of equal flags: an operator's own goes before.
  HDFS_RACKWEAVE_OPTS="-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${HDFS_RACKWEAVE_OPTS}"
  [[ ! -t 1 ]] || HDFS_RACKWEAVE_OPTS="-Drackweave.terminal.out=true ${HDFS_RACKWEAVE_OPTS}"
  [[ ! -t 2 ]] || HDFS_RACKWEAVE_OPTS="-Drackweave.terminal=true ${HDFS_RACKWEAVE_OPTS}"
}

fi
