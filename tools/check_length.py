#!/usr/bin/env python3
"""Checks that no file has more than 500 lines, no C++ function more than 60, and no line of C++ more than 128 characters:
clang-format breaks code at 120, and leaves comments alone. And that no folder holds more than 24 files directly.

Functions are found by counting braces, not by parsing: a brace that opens outside any function, after a parameter list,
begins one. A function may be longer for a reason, given on the line before it:

  // LONG: one case per SMARTS primitive, read side by side with the table in the manual

  tools/check_length.py [FOLDER]     check the repository (or another root); exit 1 names file, line and length
  tools/check_length.py --self-test  prove that long ones are caught and short ones are not
"""
import collections
import pathlib
import re
import sys

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_LINE = 128
MAX_FILES = 24  # of a folder, without those of the folders in it
CXX_ENDINGS = {".hpp", ".cpp", ".cu"}
OTHER_ENDINGS = {".py", ".sh", ".bash", ".cmake"}
SKIPPED_FOLDERS = {"build", "__pycache__"}

REASON = re.compile(r"^\s*// LONG: \S")
# What may open a brace at the top without being a function.
CONTAINER = re.compile(r"\s*(?:(?:inline|export|typedef|static|constexpr|const)\s+)*"
                       r"(?:(?:namespace|class|struct|union|enum|concept)(?:\W|$)|extern\s*\"\s*\"\s*$)")
LABEL = re.compile(r"\s*(?:public|private|protected)\s*:(?!:)")
TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/'                                      # comments
    r'|R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"'                # raw strings
    r'|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])*\''  # strings and characters; not 1'000
    r'|^[ \t]*\#(?:\\\n|[^\n])*',                              # preprocessor, with its continued lines
    re.DOTALL | re.MULTILINE)


def blank(text):
    """The text with comments, strings and preprocessor lines replaced by blanks, so that lines and columns stay."""
    def blanks(match):
        empty = re.sub(r"[^\n]", " ", match[0])
        return '"' + empty[1:-1] + '"' if match[0][0] == '"' else empty
    return TOKENS.sub(blanks, text)


def without_template(head):
    """`template <class T> void f()` as `void f()`."""
    match = re.match(r"\s*template\s*<", head)
    while match:
        depth, end = 1, match.end()
        while end < len(head) and depth > 0:
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            end += 1
        head = head[end:]
        match = re.match(r"\s*template\s*<", head)
    return head


def is_function(head):
    """Whether a brace after this text, at the top of a file or class, opens a function."""
    head = without_template(head)
    if CONTAINER.match(head) or "(" not in head:
        return False
    return head.count("(") == head.count(")") and not head.rstrip().endswith("=")


def functions(text):
    """[(first line, last line)] of every function, both counted from 1.
    @raises ValueError  the braces do not pair up"""
    code = blank(text)
    found, open_braces, head_start, inside, position = [], [], 0, None, 0
    while position < len(code):
        character = code[position]
        if character == "{":
            if inside is None:
                head = code[head_start:position]
                label = LABEL.match(head)
                while label:
                    head_start += label.end()
                    head = head[label.end():]
                    label = LABEL.match(head)
                if is_function(head):
                    start = head_start + len(head) - len(head.lstrip())
                    inside = (len(open_braces), start)
            # Within `f(A{1})` or `f() : a_{1} {` the text before the brace still belongs to what follows it.
            open_braces.append(head_start)
            head_start = position + 1
        elif character == "}":
            if not open_braces:
                raise ValueError(f"line {code.count(chr(10), 0, position) + 1} closes a brace that nothing opened")
            opened_head = open_braces.pop()
            head_start = position + 1
            rest = code[position + 1:position + 200].lstrip()
            if inside is not None and inside[0] == len(open_braces):
                if rest[:1] in (",", "{", ")"):  # an initializer of a constructor or of an argument, not a body
                    head_start = opened_head
                else:
                    found.append((code.count("\n", 0, inside[1]) + 1, code.count("\n", 0, position) + 1))
                inside = None
            elif inside is None and rest[:1] in (",", "{", ")"):
                head_start = opened_head
        elif character == ";" and inside is None:
            head_start = position + 1
        position += 1
    if open_braces:
        raise ValueError("a brace is never closed")
    return found


def check_text(name, text, is_cxx):
    """Sentences about what is too long."""
    lines = text.splitlines()
    problems = []
    if len(lines) > MAX_FILE_LINES:
        problems.append(f"{name}:{MAX_FILE_LINES + 1}: the file has {len(lines)} lines, at most {MAX_FILE_LINES}")
    if is_cxx:
        problems += [f"{name}:{number}: the line has {len(line)} characters, at most {MAX_LINE}"
                     for number, line in enumerate(lines, 1) if len(line) > MAX_LINE]
    try:
        spans = functions(text) if is_cxx else []
    except ValueError as error:
        return problems + [f"{name}: its functions cannot be found: {error}"]
    for first, last in spans:
        length = last - first + 1
        if length > MAX_FUNCTION_LINES and not (first > 1 and REASON.match(lines[first - 2])):
            problems.append(f"{name}:{first}: the function has {length} lines, at most {MAX_FUNCTION_LINES} "
                            "(or `// LONG: reason` on the line before it)")
    return problems


def check_folders(paths):
    """Sentences about folders with too many files."""
    counts = collections.Counter(path.parent for path in paths)
    return [f"{folder}: the folder has {count} files, at most {MAX_FILES}"
            for folder, count in sorted(counts.items()) if count > MAX_FILES]


def is_checked(path, root):
    parts = path.relative_to(root).parts
    hidden = any(part.startswith(".") or part in SKIPPED_FOLDERS for part in parts)
    return not hidden and path.suffix in CXX_ENDINGS | OTHER_ENDINGS and path.is_file()


BODY = "  f();\n"
# (text, number of functions found, number of problems)
CASES = (
    ("int f() {\n" + BODY * 58 + "}\n", 1, 0),
    ("int f() {\n" + BODY * 59 + "}\n", 1, 1),
    ("// LONG: a table\nint f() {\n" + BODY * 59 + "}\n", 1, 0),
    ("// LONG:\nint f() {\n" + BODY * 59 + "}\n", 1, 1),
    ("// LONG: a table\n\nint f() {\n" + BODY * 59 + "}\n", 1, 1),
    ("namespace a {\nclass B {\n public:\n" + "  int f() { return 1; }\n" * 80 + "};\n}\n", 80, 0),
    ("class B {\n public:\n  B(int x)\n      : a_{x}, b_{1} {\n" + BODY * 60 + "  }\n};\n", 1, 1),
    ("template <class T, class U = A<T>>\nvoid f(T t) {\n" + BODY * 60 + "}\n", 1, 1),
    ("template <class T>\nstruct A {\n  int a_[3] = {1, 2};\n" + "  int a;\n" * 80 + "};\n", 0, 0),
    ("const auto f = [](int x) {\n" + BODY * 60 + "};\n", 1, 1),
    ("int f() {\n  auto g = [] {\n    if (x) {\n    }\n  };\n}\nint h() { return 0; }\n", 2, 0),
    ("constexpr int kTable[] = {\n" + "  1,\n" * 80 + "};\n", 0, 0),
    ("const char* k = \"{\"; char c = '{'; // {\nint f() { return 1'000; }\n/* { */\n", 1, 0),
    ('const char* k = R"x({ " { )x";\nint f() { return 1; }\n', 1, 0),
    ("#define OPEN(x) \\\n  if (x) {\nint f() { return 1; }\n", 1, 0),
    ("TEST(A, b) {\n" + BODY * 60 + "}\n", 1, 1),
    ("extern \"C\" {\nint f() { return 1; }\n}\n", 1, 0),
    ("extern \"C\" int f(int a) {\n" + BODY * 60 + "}\n", 1, 1),
    ("struct S {\n  bool operator()(int a) const noexcept {\n" + BODY * 60 + "  }\n};\n", 1, 1),
    ("int f() {\n", 0, 1),
    ("int f() { } }\n", 0, 1),
    ("// " + "x" * 125 + "\n", 0, 0),
    ("// " + "x" * 126 + "\n", 0, 1),
    ("int a;\n" * 500, 0, 0),
    ("int a;\n" * 501, 0, 1),
)


def self_test():
    failures = 0
    for number, (text, num_functions, num_problems) in enumerate(CASES):
        problems = check_text("case", text, True)
        try:
            found = len(functions(text))
        except ValueError:
            found = 0
        if (found, len(problems)) != (num_functions, num_problems):
            failures += 1
            print(f"self-test: case {number}, {text[:60]!r}...: {found} functions, problems {problems}", file=sys.stderr)
    for count, num_problems in ((MAX_FILES, 0), (MAX_FILES + 1, 1)):
        paths = [pathlib.Path("folder", f"{i}.hpp") for i in range(count)] + [pathlib.Path("folder", "room", "a.hpp")]
        if len(check_folders(paths)) != num_problems:
            failures += 1
            print(f"self-test: a folder of {count} files: problems {check_folders(paths)}", file=sys.stderr)
    print(f"length self-test: {len(CASES) + 2 - failures} of {len(CASES) + 2} cases right")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent).resolve()
    files = sorted(path for path in root.rglob("*") if is_checked(path, root))
    problems, num_functions, longest = check_folders([path.relative_to(root) for path in files]), 0, 0
    for path in files:
        text, is_cxx = path.read_text(errors="replace"), path.suffix in CXX_ENDINGS
        longest = max(longest, text.count("\n"))
        problems += check_text(str(path.relative_to(root)), text, is_cxx)
        try:
            num_functions += len(functions(text)) if is_cxx else 0
        except ValueError:
            pass  # reported by check_text
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"length: {len(files)} files (longest {longest} lines), {num_functions} functions, {len(problems)} too long")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
