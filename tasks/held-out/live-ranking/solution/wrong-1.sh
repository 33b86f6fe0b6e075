#!/usr/bin/env bash
# A dictionary finds the players; the order is still sorted for each question.
python3 - <<'P'
text = open('ranking.py').read()
text = text.replace("""    for player in players:
        if player[0] == name:
            return player
    return None
""", """    return names.get(name)
""").replace("clock = 0\n", "clock = 0\nnames = {}\n", 1)
text = text.replace("    what = words[0]\n", "    what = words[0]\n    if len(names) != len(players) or what in ('drop', 'rename', 'cut'):\n        names.clear()\n        names.update((player[0], player) for player in players)\n")
text = text.replace("            players.append([name, points, tick()])\n", "            players.append([name, points, tick()])\n            names[name] = players[-1]\n")
text = text.replace("        player[0] = words[2]\n", "        player[0] = words[2]\n        names.clear()\n")
open('ranking.py', 'w').write(text)
P
python3 ranking.py <example.txt
