"""Writes a session as a transcript: a small world of files, the tools that act on it, and the questions about it.

Everything is drawn from one seeded generator and the archive carries no time, so a second run gives the same bytes.
"""
import difflib
import fnmatch
import gzip
import io
import json
import random
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


class Session:
    def __init__(self, half, name, about, seed, root, split=0.0):
        self.half, self.name, self.about, self.root = half, name, about, root
        self.rng = random.Random(seed)
        self.lines, self.questions, self.files = [], [], {}
        self.turn = 0
        # How often several calls of a step come one after the other instead of side by side.
        self.split, self.steps_of_turn = split, 0

    # --- what people and the model say -------------------------------------------------
    def _line(self, origin, message):
        self.lines.append({'origin': origin, 'turn': self.turn, 'message': message})

    def user(self, words):
        self.turn += 1
        self.steps_of_turn = 0
        self._line('user', {'role': 'user', 'content': [text(words, 'owner')]})

    def steer(self, words):
        self._line('steer', {'role': 'user', 'content': [text(words, 'owner')]})

    def do(self, words, *calls, think=None):
        if len(calls) > 1 and self.steps_of_turn + len(calls) < 13 and self.rng.random() < self.split:
            self._step(words, calls[:1], think)
            for call in calls[1:]:
                self._step(None, (call,), None)
        else:
            self._step(words, calls, think)

    def _step(self, words, calls, think):
        self.steps_of_turn += 1
        content = [{'type': 'thinking', 'text': think, 'trust': 'model'}] if think else []
        if words:
            content.append(text(words, 'model'))
        results = []
        for name, given, body, failed, source in calls:
            call_id = 'call_%012x' % self.rng.getrandbits(48)
            content.append({'type': 'tool_call', 'id': call_id, 'name': name, 'input': given, 'trust': 'model'})
            block = text(body, 'tool') if source is None else {**text(body, 'foreign'), 'source': source}
            results.append({'role': 'tool', 'callId': call_id, 'name': name, 'content': [block], 'failed': failed})
        self._line('model', {'role': 'assistant', 'content': content})
        for message in results:
            self._line('tool', message)

    def answer(self, words):
        self._line('model', {'role': 'assistant', 'content': [text(words, 'model')]})

    # --- tools ------------------------------------------------------------------------
    def sh(self, command, output='', code=0, **more):
        body = output.strip('\n')
        ends = [] if code == 0 else [f'[exit code {code}]']
        return ('terminal', {'command': command, **more}, '\n'.join([*([body] if body else []), *ends]) or '[exit code 0, no output]', False, None)

    def timeout(self, command, output, seconds):
        return ('terminal', {'command': command, 'timeout': seconds},
                output.strip('\n') + f'\n[stopped after {seconds} s; nothing of it is running any more]', True, None)

    def start(self, command):
        return ('terminal', {'command': command, 'background': True},
                f'Started in the background: session_id p{self.rng.randrange(10, 99)}, pid {self.rng.randrange(9000, 64000)}.', False, None)

    def read(self, path, offset=1, limit=500):
        given = {'path': path, **({'offset': offset} if offset != 1 else {}), **({'limit': limit} if limit != 500 else {})}
        if path not in self.files:
            return ('read_file', given, f'There is no file {path}.', True, None)
        rows = self.files[path].rstrip('\n').split('\n')
        shown = rows[offset - 1:offset - 1 + limit]
        last = offset + len(shown) - 1
        onward = f'; read on with offset {last + 1}' if last < len(rows) else ''
        body = '\n'.join(f'{offset + i}|{row}' for i, row in enumerate(shown))
        return ('read_file', given, f'{body}\n[lines {offset}-{last} of {len(rows)}, {len(self.files[path].encode())} bytes{onward}]', False, None)

    def write(self, path, content):
        new = path not in self.files
        self.files[path] = content
        return ('write_file', {'path': path, 'content': content}, f'{"Created" if new else "Replaced"} {path}: {content.count(chr(10))} lines, {len(content.encode())} bytes.', False, None)

    def patch(self, path, old, new):
        given = {'path': path, 'old_string': old, 'new_string': new}
        before = self.files.get(path, '')
        if old not in before:
            return ('patch', given, f'Nothing changed in {path}: the old text is not there. The nearest lines are different; read the place again with read_file.', True, None)
        after = before.replace(old, new, 1)
        self.files[path] = after
        diff = '\n'.join(difflib.unified_diff(before.split('\n'), after.split('\n'), path, path, lineterm='', n=3))
        return ('patch', given, f'Changed 1 place in {path}.\n{diff}', False, None)

    def grep(self, pattern, glob=None, limit=60):
        given = {'pattern': pattern, **({'file_glob': glob} if glob else {})}
        rows, count, wanted = [], 0, re.compile(pattern)
        for path in sorted(self.files):
            if glob and not fnmatch.fnmatch(path.rsplit('/', 1)[-1], glob):
                continue
            hits = [(i + 1, row) for i, row in enumerate(self.files[path].split('\n')) if wanted.search(row)]
            if hits and count < limit:
                rows.append(path)
                rows += [f'{i}:{row}' for i, row in hits[:limit - count]]
            count += len(hits)
        tail = f'; next page: offset {limit}' if count > limit else ''
        rows.append(f'[{count} matching line{"" if count == 1 else "s"}{tail}]' if count else '[no matching lines]')
        return ('search_files', given, '\n'.join(rows), False, None)

    def todo(self, *items):
        rows = [{'id': str(i + 1), 'content': words, 'status': state} for i, (state, words) in enumerate(items)]
        return ('todo', {'todos': rows}, json.dumps({'todos': rows, 'open': sum(r['status'] != 'completed' for r in rows)}, ensure_ascii=False), False, None)

    def memory(self, words, target='memory'):
        return ('memory', {'action': 'add', 'target': target, 'content': words}, 'Kept. The memory has room for more.', False, None)

    def web(self, url, body):
        return ('web_extract', {'urls': [url]}, body.strip('\n'), False, url)

    # --- questions --------------------------------------------------------------------
    def q(self, kind, question, *answer, wrong=None, back=14):
        """A question whose answer stands in one of the latest lines."""
        last = len(self.lines) - 1
        for at in range(last, max(-1, last - back), -1):
            if all_text(self.lines[at]['message']).find(answer[0]) >= 0:
                break
        else:
            raise SystemExit(f'{self.name}: no line holds {answer[0]!r}')
        one = {'id': f'{self.name}-{len(self.questions) + 1:02}', 'kind': kind, 'question': question, 'answer': list(answer), 'line': at}
        self.questions.append({**one, **({'wrong': wrong} if wrong else {})})

    def save(self):
        body = ''.join(json.dumps(line, ensure_ascii=False, separators=(',', ':')) + '\n' for line in self.lines)
        packed = io.BytesIO()
        with gzip.GzipFile(filename='', mode='wb', compresslevel=9, fileobj=packed, mtime=0) as out:
            out.write(body.encode())
        tokens = sum(len(all_text(line['message'])) for line in self.lines) // 4
        head = {'name': self.name, 'about': self.about, 'tokens': tokens, 'turns': self.turn, 'questions': self.questions}
        (HERE / self.half).mkdir(parents=True, exist_ok=True)
        (HERE / self.half / f'{self.name}.jsonl.gz').write_bytes(packed.getvalue())
        (HERE / self.half / f'{self.name}.json').write_text(json.dumps(head, ensure_ascii=False, indent=2) + '\n')
        steps = sum(line['message']['role'] == 'assistant' for line in self.lines)
        print(f'{self.name}: {len(self.lines)} lines, {self.turn} turns, {steps} steps, {tokens} tokens, {len(packed.getvalue())} bytes, {len(self.questions)} questions')


def text(words, trust):
    return {'type': 'text', 'text': words, 'trust': trust}


def all_text(message):
    """Every word of a message, arguments of calls included."""
    return '\n'.join(
        block['text'] if 'text' in block else block['name'] + ' ' + json.dumps(block['input'], ensure_ascii=False, separators=(',', ':'))
        for block in message['content'])
