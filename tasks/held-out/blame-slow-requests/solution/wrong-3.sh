#!/usr/bin/env bash
# The time of all calls is added, also where they overlap.
sed "s/    out = set()/    out = []/; s/out.update(range/out.extend(range/; s/len(orders - store)/len(set(orders) - set(store))/; s/len(store - orders)/len(set(store) - set(orders))/; s/len(orders & store)/len(set(orders) \& set(store))/" "$(dirname "$0")/solve.sh" | bash
