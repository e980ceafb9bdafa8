"""Swift sources as text, for the checks that read them without a compiler."""
import re

_NAMES_TEXTS_COMMENTS = re.compile(
    r'`[^`\n]*`|#+"[\s\S]*?"#+|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/')


def code_of(text):
    """The text with comments and literals blanked, every other character where it was."""
    def blank(match):
        found = match.group()
        return found if found[0] == "`" else re.sub(r"[^\n]", " ", found)
    return _NAMES_TEXTS_COMMENTS.sub(blank, text)


def test_functions(code):
    """Where the `func` of each @Test stands in blanked code, in order."""
    places = []
    for attribute in re.finditer(r"@Test\b", code):
        place, depth = attribute.end(), 0
        while place < len(code) and (code[place] == "(" or depth):
            depth += {"(": 1, ")": -1}.get(code[place], 0)
            place += 1
        function = re.compile(r"\s*(?:@\w+(?:\([^()]*\))?\s*|\w+\s+)*?(?=func\b)").match(code, place)
        if function:
            places.append(function.end())
    return places
