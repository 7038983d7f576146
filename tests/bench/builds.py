"""The parts that time whole builds: from nothing against others, and as the catalogue grows."""

from __future__ import annotations

from pathlib import Path

from tests.bench import generators, install
from tests.bench.generators import PEERS, SITEGEN
from tests.bench.measure import Command, Series, in_turn, run, say
from tests.bench.part import PAIRS, Figures, Options, of
from tests.bench.ratios import Reached
from tests.bench.workshop import Workshop

COPY = "cp -r of its output"


def cold(shop: Workshop, options: Options) -> Figures:
    """All generators on the same pages, and `cp -r` of what sitegen wrote as the floor."""
    lines, reached = [], []
    for pages in options.pages or options.sizes.cold:
        found = against(shop, options, f"cold-{pages}", pages, options.against)
        lines += [f"{pages:,} results, {title}: {series}" for title, series in found.items()]
        own = found[SITEGEN.title]
        reached = [
            Reached(name, own.wall / found[peer.title].wall, of(pages))
            for name, peer in PEERS.items()
            if peer.title in found and name in ("hugo-off", "eleventy", "hugo")
        ]
        reached += [Reached("copy", own.cpu / found[COPY].cpu, of(pages))] if COPY in found else []
    return Figures(tuple(lines), tuple(reached))


def distinct(shop: Workshop, options: Options) -> Figures:
    """Every script different from every other."""
    pages = options.sizes.usual
    found = against(shop, options, "distinct", pages, ("hugo-off",), "--distinct")
    lines = [f"{pages:,} results, every script different, {title}: {series}" for title, series in found.items()]
    ratio = found[SITEGEN.title].wall / found[PEERS["hugo-off"].title].wall
    return Figures(tuple(lines), (Reached("distinct", ratio, of(pages)),))


def against(
    shop: Workshop, options: Options, name: str, pages: int, names: tuple[str, ...], *more: str
) -> dict[str, Series]:
    """sitegen and these others, by title, on one catalogue; what needs minutes as often as the options say."""
    peers = {one: PEERS[one] for one in names if one != "copy"}
    if peers:
        install.install()
    trees = sorted({peer.tree for peer in peers.values()})
    catalogue = shop.catalogue(name, f"--models={pages // PAIRS}", *more, *(["--trees", *trees] if trees else []))
    for tree in trees:
        generators.furnish(catalogue / tree, tree)
    slow = [one for one in peers if one in ("hugo", "pelican", "mkdocs") and pages >= 10_000]
    quick = {peer.title: peer for one, peer in {"": SITEGEN, **peers}.items() if one not in slow}
    commands = {title: generators.cold(shop, peer, catalogue) for title, peer in quick.items()}
    if "copy" in names:
        commands[COPY] = lambda: copying(shop, catalogue / "site")
    found = in_turn(commands, options.runs)
    rest = {peers[one].title: generators.cold(shop, peers[one], catalogue) for one in slow}
    found |= in_turn(rest, options.slow_runs)
    for peer in (SITEGEN, *peers.values()):
        generators.look_at(peer, catalogue, pages)
    return found


def copying(shop: Workshop, site: Path) -> Command:
    """A copy of the site, without the build's own notes, into a fresh folder. The last build has just written it."""
    target = shop.away(site.with_name("copy"))
    target.mkdir()
    parts = sorted(str(path) for path in site.iterdir() if not path.name.startswith("."))
    return Command(("cp", "-r", *parts, str(target)), site.parent)


def growth(shop: Workshop, options: Options) -> Figures:
    """CPU a page and the largest process, of a large catalogue against a small one."""
    small, large = options.sizes.growth
    commands = {}
    for pages in (small, large):
        catalogue = shop.catalogue(f"growth-{pages}", f"--models={pages // PAIRS}")
        commands[f"{pages:,} results"] = generators.cold(shop, SITEGEN, catalogue)
    few, many = found = in_turn(commands, options.runs).values()
    lines = [f"{name}: {series}" for name, series in zip(commands, found, strict=True)]
    scope = f"{large:,} against {small:,} results"
    by_cpu = Reached("growth-cpu", (many.cpu / large) / (few.cpu / small), scope)
    return Figures(tuple(lines), (by_cpu, Reached("growth-largest", many.largest / few.largest, scope)))


def memory(shop: Workshop, options: Options) -> Figures:
    """All processes of a cold build together, looked at every 50 ms. Not timed: looking costs time too."""
    pages = options.sizes.usual
    catalogue = shop.catalogue("memory", f"--models={pages // PAIRS}")
    prepare = generators.cold(shop, SITEGEN, catalogue)
    found = []
    for number in range(options.runs):
        found.append(run(prepare(), sample=True))
        say(f"  run {number + 1} of {options.runs}: {found[-1].tree:.0f} MiB")
    series = Series(tuple(found))
    return Figures((f"{pages:,} results, watched: {series}",), (Reached("memory", series.tree, of(pages)),))
