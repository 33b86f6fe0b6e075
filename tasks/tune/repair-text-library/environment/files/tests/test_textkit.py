import unittest

from textkit import merge_tags, parse_duration, slug, table, wrap


class TextkitTest(unittest.TestCase):
    def test_slug(self):
        self.assertEqual(slug('Hello, World!'), 'hello-world')

    def test_slug_without_accents(self):
        self.assertEqual(slug('Café Olé'), 'cafe-ole')

    def test_wrap_fills_the_line(self):
        self.assertEqual(wrap('aa bb cc dd', 5), ['aa bb', 'cc dd'])

    def test_table(self):
        self.assertEqual(table([['a', 'bb'], ['ccc', 'd']]), 'a    bb\nccc  d')

    def test_duration(self):
        self.assertEqual(parse_duration('1h 30m'), 5400)

    def test_duration_with_a_wrong_unit(self):
        with self.assertRaises(ValueError):
            parse_duration('5m 3x')

    def test_tags(self):
        self.assertEqual(merge_tags(['b', 'A'], ['a']), ['a', 'b'])


if __name__ == '__main__':
    unittest.main()
