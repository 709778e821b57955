"""Parses every module of a folder (ECMAScript, with the pinned parser), and reports as file:line what can't work:
syntax, a name that nothing declares, one declared twice in a block, an import that is not exported or not used."""

import pathlib
import sys

import esprima

# What the browser has, as far as the scripts use it.
GLOBALS = set(
    """AbortController Array Boolean CSS Date Error EventSource FormData Intl JSON Math Number Object Promise
    String TextDecoderStream TextEncoder Uint8Array URLSearchParams addEventListener atob btoa
    clearInterval clearTimeout console crypto document encodeURIComponent fetch globalThis isSecureContext location navigator open
    performance sessionStorage setInterval setTimeout undefined""".split()
)
# They stand for what is put in when the program starts.
PLACES = {"texts.js": {"$words"}, "submit-form.js": {"$delay"}}
# Keys and labels are no names of values.
NOT_NAMES = {
    "MemberExpression": ("property", "computed"),
    "Property": ("key", "computed"),
    "MethodDefinition": ("key", "computed"),
    "PropertyDefinition": ("key", "computed"),
    "FieldDefinition": ("key", "computed"),
    "LabeledStatement": ("label", None),
    "BreakStatement": ("label", None),
    "ContinueStatement": ("label", None),
    "ImportSpecifier": ("imported", None),
    "ExportSpecifier": ("exported", None),
    "MetaProperty": ("meta", None),
}


def children(node):
    for key, value in vars(node).items():
        for child in value if isinstance(value, list) else [value]:
            if getattr(child, "type", None) and hasattr(child, "__dict__"):
                yield key, child


def walk(node, parent=None, key=None):
    yield node, parent, key
    for name, child in children(node):
        yield from walk(child, node, name)


def bound(pattern):
    """The names that a pattern gives to values."""
    kind = getattr(pattern, "type", None)
    if kind == "Identifier":
        return [pattern.name]
    if kind == "ObjectPattern":
        return [n for p in pattern.properties for n in bound(p.argument if p.type == "RestElement" else p.value)]
    if kind == "ArrayPattern":
        return [n for e in pattern.elements if e for n in bound(e)]
    if kind == "AssignmentPattern":
        return bound(pattern.left)
    if kind == "RestElement":
        return bound(pattern.argument)
    return []


def declared(statement):
    """The names that a statement declares in its block."""
    if statement.type in ("ExportNamedDeclaration", "ExportDefaultDeclaration") and statement.declaration:
        statement = statement.declaration
    if statement.type == "VariableDeclaration":
        return [n for d in statement.declarations for n in bound(d.id)]
    if statement.type in ("FunctionDeclaration", "ClassDeclaration"):
        return [statement.id.name] if statement.id else []
    if statement.type == "ImportDeclaration":
        return [s.local.name for s in statement.specifiers]
    return []


def is_name(node, parent, key):
    if node.type != "Identifier" or parent is None:
        return False
    place, computed = NOT_NAMES.get(parent.type, (None, None))
    if parent.type == "Property" and getattr(parent, "shorthand", False):
        return key == "value"
    return key != place or bool(computed and getattr(parent, computed, False))


def check(path, modules):
    tree, found = modules[path.name], []
    report = lambda node, text: found.append(f"{path}:{node.loc.start.line}: {text}")
    known, imports, uses = GLOBALS | PLACES.get(path.name, set()), {}, []
    for node, parent, key in walk(tree):
        known.update(n for p in getattr(node, "params", None) or [] for n in bound(p))
        known.update(bound(getattr(node, "param", None)))
        if node.type in ("FunctionExpression", "ClassExpression") and node.id:
            known.add(node.id.name)
        known.update(declared(node))
        if node.type in ("Program", "BlockStatement"):
            names = [name for statement in node.body for name in declared(statement)]
            for name in {name for name in names if names.count(name) > 1}:
                report(node, f"{name} is declared twice")
        if node.type == "ImportDeclaration":
            exports = exported(modules.get(node.source.value.removeprefix("./")))
            for specifier in node.specifiers:
                imports[specifier.local.name] = node
                if exports is None or (specifier.imported or specifier.local).name not in exports:
                    report(node, f"{specifier.local.name} is not exported by {node.source.value}")
        elif is_name(node, parent, key) and parent.type != "ImportSpecifier":
            uses.append(node)
    for node in uses:
        if node.name not in known:
            report(node, f"nothing declares {node.name}")
    for name in set(imports) - {node.name for node in uses}:
        report(imports[name], f"{name} is imported and not used")
    return found


def exported(tree):
    if tree is None:
        return None
    exports = [s for s in tree.body if s.type == "ExportNamedDeclaration"]
    names = [n for s in exports if s.declaration for n in declared(s)]
    return set(names + [e.exported.name for s in exports for e in s.specifiers or []])


def main():
    paths, modules, found = sorted(pathlib.Path(sys.argv[1]).glob("*.js")), {}, []
    if not paths:
        sys.exit(f"{sys.argv[1]}: there is no script")
    for path in paths:
        try:
            modules[path.name] = esprima.parseModule(path.read_text(encoding="utf-8"), {"loc": True})
        except esprima.Error as error:
            found.append(f"{path}:{error.lineNumber}: {error.message}")
    if not found:
        found = [line for path in paths for line in check(path, modules)]
    if found:
        sys.exit("\n".join(found))
    print(f"web scripts: clean ({len(paths)} modules)")


main()
