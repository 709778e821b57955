#!/usr/bin/env bash
# Prints the package's form of config/vestibule.service or config/vestibule@.service, which is read from standard input.
#
#   unit.sh unit                 the unit: the package's paths and user, and no start before there is a config
#   unit.sh credentials [UNIT]   a drop-in for UNIT (vestibule) with the lines for secrets, which a start without those files would
#                                fail at, and a migration with the same secrets, where the unit's file shows one
set -euo pipefail
secret='^(# )?(LoadCredential=[a-z]|Environment=VESTIBULE_)'
case ${1:-} in
  unit)
    sed -E -e "/$secret/d" -e '1,/^$/d' \
      -e 's#^ExecStart=/usr/local/bin/#ExecStart=/usr/bin/#' \
      -e '/^DynamicUser=/d' \
      -e 's#^User=.*#User=vestibule\nGroup=vestibule#' \
      -e 's#^(After=.*)#Documentation=man:vestibule(1)\n\1#' \
      -e 's#^(StartLimitIntervalSec=.*)#ConditionPathExists=/etc/vestibule/vestibule.yaml\n\1#' \
      -e '/^ConfigurationDirectory=/d' -e '/^# (Provider keys, the mail|The sealing key|The password of storage)/d'
    ;;
  credentials)
    echo "# Secrets as credentials: copy this to /etc/systemd/system/${2:-vestibule}.service.d/ and keep the lines whose files are there."
    echo "[Service]"
    grep -E "$secret|^# Make the tables before|^#   (VESTIBULE_[A-Z_]+=file:|vestibule migrate )"
    ;;
  *)
    sed -n 2,6p "$0" >&2
    exit 64
    ;;
esac
