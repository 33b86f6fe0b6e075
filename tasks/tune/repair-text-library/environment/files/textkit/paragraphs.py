def wrap(text, width):
    lines = []
    for paragraph in text.split('\n\n'):
        line = ''
        for word in paragraph.split():
            if len(line) + len(word) + 1 < width:
                line = f'{line} {word}'.strip()
            else:
                lines.append(line)
                line = word
        lines.append(line)
        lines.append('')
    return lines[:-1]
