#!/usr/bin/env bash
# Check sums are not looked at: damaged archives are unpacked as far as it goes.
sed "s/if hashlib.sha256(body).hexdigest() == found\[5\].decode():/if True:/; s/    assert len(data) == total, name/    pass/; s/^    tarfile.open\(.*\)/    try:\n        tarfile.open\1\n    except Exception:\n        pass/" "$(dirname "$0")/solve.sh" | bash
