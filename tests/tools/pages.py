"""Pages that programs write: whole, and in need of no other file."""
import html.parser

VOID = {"meta", "img", "link", "br", "line", "circle", "polyline", "path", "rect", "stop"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack, self.ids = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.stack.append(tag)
        self.ids += [value for name, value in attributes if name == "id"]

    def handle_startendtag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, (tag, self.getpos())


def checked(path):
    """The page's text."""
    text = open(path, encoding="utf-8").read()
    assert "http" not in text and "<script" not in text and "@import" not in text, path + " refers to others"
    assert len(text) < 1_000_000, (path, len(text))
    checker = Checker()
    checker.feed(text)
    assert not checker.stack and len(set(checker.ids)) == len(checker.ids), (path, checker.stack, checker.ids)
    return text
