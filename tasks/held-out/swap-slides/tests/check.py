import hashlib
import os

EXPECTED = {
    '01 Welcome.md': '432736c1fabcf0c0d1617f5336c510020e8a78847e1546d9f862e7d1a9094c91',
    '02 Agenda.md': '597256480a1dd8ca0e5d1e779f7f851d85175b0d37ae7ff046e6bdefb62df67a',
    '03 History.md': 'a37e466106558936de8c962fccd7055b7d3be46677ac76c97a2fa0dde560a2ae',
    '04 Figures.md': '7be57a3c2ca1c899363bbef43eb0b8ecf0ff4c9f33e2ef93b46eae1d9249501d',
    '05 Team.md': 'a0b612a9ef1ed76bedfa40c64c6b3382d34b00deffaa2a33dba3e64c22bd32e0',
    '06 Questions, part one.md': '2b79849a2e88a71c4233c530f23f20dda0b4a2dc0b5ba7b42273ea241ceef077',
    '08 Outlook.md': '837713898649843538d5b1a7c09b221991e157ad68fa3ae3e77f2130feee1244',
    '09 Map.md': '59d89a3ed556f728a475e43680a3fd63d337be61d337285775d5dcc5514bea4c',
    '10 "Sources".md': 'b3250b46b4d264a46e1182aad233bc325297dfe21f1c0e3707bc55a747c10100',
    '11 Sources.md': 'c6630e5f089d20ac57705c63f6c7e890a0097af000780de31380c6838eb9fc52',
    '12 Map.md': 'c6c7125339b9747b37c6a1e48872d2f488a8d0a9aa8285e7c291da69c2247db6',
    'notes.md': '68e39d92144b5858d02ae571eb84a3ff9f99ac4dcd71e1846179297fd752fbd4',
}

assert not os.path.islink('slides')
assert sorted(os.listdir('slides')) == sorted(EXPECTED), sorted(os.listdir('slides'))
for name, digest in EXPECTED.items():
    path = os.path.join('slides', name)
    assert os.path.isfile(path) and not os.path.islink(path), name
    with open(path, 'rb') as file:
        assert hashlib.sha256(file.read()).hexdigest() == digest, name
