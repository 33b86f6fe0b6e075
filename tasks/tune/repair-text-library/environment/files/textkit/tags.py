def merge_tags(new, into=[]):
    known = {tag.lower() for tag in into}
    for tag in new:
        if tag.lower() not in known:
            into.append(tag)
    return into
