def table(rows, align=''):
    widths = [len(str(cell)) for cell in rows[0]]
    lines = []
    for row in rows:
        cells = []
        for column, cell in enumerate(row):
            text = str(cell)
            widths[column] = max(widths[column], len(text))
            right = column < len(align) and align[column] == 'r'
            cells.append(text.rjust(widths[column]) if right else text.ljust(widths[column]))
        lines.append('  '.join(cells).strip())
    return '\n'.join(lines)
