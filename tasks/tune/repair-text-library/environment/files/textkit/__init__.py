from .columns import table
from .durations import parse_duration
from .paragraphs import wrap
from .slugs import slug
from .tags import merge_tags

__all__ = ['merge_tags', 'parse_duration', 'slug', 'table', 'wrap']
