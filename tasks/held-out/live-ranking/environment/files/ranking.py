"""Keeps a ranking. Reads commands from standard input, one per line, and prints the answers.

The ranking is ordered by points, most first. Among equal points, whoever has had
them for longer comes first.
"""
import sys

players = []  # [name, points, since], in the order of joining
clock = 0


def find(name):
    for player in players:
        if player[0] == name:
            return player
    return None


def order():
    return sorted(players, key=lambda player: (-player[1], player[2]))


def tick():
    global clock
    clock += 1
    return clock


def command(words):
    global players
    what = words[0]
    if what == 'add':
        name, points = words[1], int(words[2])
        player = find(name)
        if player is None:
            players.append([name, points, tick()])
        elif points != 0:
            player[1] += points
            player[2] = tick()
    elif what == 'drop':
        if find(words[1]) is None:
            return ['unknown ' + words[1]]
        players = [player for player in players if player[0] != words[1]]
    elif what == 'bonus':
        # Everybody gets it; nobody's place changes.
        for player in players:
            player[1] += int(words[1])
    elif what == 'rename':
        player = find(words[1])
        if player is None:
            return ['unknown ' + words[1]]
        other = find(words[2])
        if other is player:
            return []
        if other is not None:
            # Two become one, who takes over the points of both.
            players.remove(other)
            player[1] += other[1]
            player[2] = min(player[2], other[2])
        player[0] = words[2]
    elif what == 'cut':
        # Leave the best.
        keep = order()[:max(int(words[1]), 0)]
        players = [player for player in players if player in keep]
    elif what == 'rank':
        player = find(words[1])
        if player is None:
            return ['unknown ' + words[1]]
        better = sum(1 for other in players if other[1] > player[1])
        return [f'{words[1]} {better + 1} {player[1]}']
    elif what == 'at':
        ranking = order()
        place = int(words[1])
        if not 1 <= place <= len(ranking):
            return ['nobody']
        return [f'{ranking[place - 1][0]} {ranking[place - 1][1]}']
    elif what == 'above':
        player = find(words[1])
        if player is None:
            return ['unknown ' + words[1]]
        ranking = order()
        place = ranking.index(player)
        return [ranking[place - 1][0] if place else 'nobody']
    elif what == 'between':
        low, high = int(words[1]), int(words[2])
        return [str(sum(1 for player in players if low <= player[1] <= high))]
    elif what == 'sum':
        return [str(sum(player[1] for player in order()[:int(words[1])]))]
    else:
        return ['what?']
    return []


def main():
    for line in sys.stdin:
        words = line.split()
        if words:
            for answer in command(words):
                print(answer)


if __name__ == '__main__':
    main()
