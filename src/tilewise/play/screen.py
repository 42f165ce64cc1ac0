"""The game on the terminal, by Textual; searches run in threads and stop when no longer needed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event as CancelFlag
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Middle, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Footer, Static

from tilewise.core.limits import Limits
from tilewise.hints import LEVELS, Guide, Route, hint
from tilewise.play.game import Game
from tilewise.puzzle.board import Board, Goal, Move

SECONDS_FOR_DISTANCE, SECONDS_FOR_SOLUTION = 0.3, 10.0
STEP_SECONDS = 0.25
INTERRUPTED = 130
"""What the game returns at Ctrl-C."""
WIDE, HIGH = 7, 3
"""A tile with its frame, in characters; where that does not fit, a number of `NARROW`."""
NARROW = 4


class BoardView(Widget):
    """The board; a click slides the tiles between the pointer and the blank."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"
    board: reactive[Board | None] = reactive(None, layout=True)
    marked: reactive[frozenset[int]] = reactive(frozenset())

    class Clicked(Message):
        """A cell of the board was clicked."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, goal: Goal) -> None:
        super().__init__()
        self._goal = goal

    @property
    def cell_size(self) -> tuple[int, int]:
        """Characters across and down that a cell takes: large where the terminal has room."""
        rows, columns = self._goal.board.rows, self._goal.board.columns
        room = self.app.size
        large = columns * WIDE <= room.width and rows * HIGH + 5 <= room.height
        return (WIDE, HIGH) if large else (NARROW, 1)

    def get_content_width(self, container: object, viewport: object) -> int:
        """As wide as all columns."""
        return self._goal.board.columns * self.cell_size[0]

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """As high as all rows."""
        return self._goal.board.rows * self.cell_size[1]

    def render(self) -> Text:
        """The tiles, line by line."""
        text = Text(no_wrap=True, end="")
        board = self.board
        if board is None:
            return text
        wide, high = self.cell_size
        for row in range(board.rows):
            for line in range(high):
                for column in range(board.columns):
                    cell = row * board.columns + column
                    text.append(*self._piece(board.tiles[cell], cell, wide, high, line))
                text.append("\n")
        text.right_crop(1)
        return text

    def _piece(self, tile: int, cell: int, wide: int, high: int, line: int) -> tuple[str, Style]:
        """One line of a tile."""
        style = Style(bold=True, reverse=cell in self.marked)
        if tile and self._goal.board.tiles[cell] == tile:
            style += Style(color="green")
        if not tile:
            return " " * wide, style
        if high == 1:
            return f"{tile:>{wide - 1}} ", style
        edge = "─" * (wide - 2)
        number = f"│{tile:^{wide - 2}}│"
        return (f"╭{edge}╮", number, f"╰{edge}╯")[line], style

    def on_click(self, event: events.Click) -> None:
        """Report the cell that was clicked."""
        wide, high = self.cell_size
        column, row = event.x // wide, event.y // high
        if 0 <= column < self._goal.board.columns and 0 <= row < self._goal.board.rows:
            self.post_message(self.Clicked(row * self._goal.board.columns + column))


class PlayScreen(App[None]):
    """Play, with hints and the solution on request."""

    TITLE = "tilewise"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Center, Vertical { height: auto; }
    #said, #state { width: 100%; height: auto; text-align: center; padding: 0 1; }
    #state { color: $text-muted; margin-top: 1; }
    #said { min-height: 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "tile('U')", "tile up", show=False),
        Binding("down", "tile('D')", "tile down", show=False),
        Binding("left", "tile('L')", "tile left", show=False),
        Binding("right", "tile('R')", "tile right", show=False),
        Binding("h,question_mark", "hint", "hint"),
        Binding("s", "solve", "solve"),
        Binding("space", "pause", "pause", show=False),
        Binding("u", "undo", "undo"),
        Binding("r", "redo", "redo"),
        Binding("b", "restart", "again"),
        Binding("n", "next", "new"),
        Binding("q,escape", "quit", "quit"),
        # Textual takes this key from the terminal, and would only say which key quits
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(
        self,
        game: Game,
        *,
        step_seconds: float = STEP_SECONDS,
    ) -> None:
        """A game."""
        super().__init__()
        self.game = game
        self.interrupted: Callable[[], None] = lambda: None
        """Called at Ctrl-C; it may end the process."""
        self.gone: Callable[[], bool] = lambda: False
        """Whether the terminal was closed, which ends the game."""
        self._step_seconds = step_seconds
        self.route: Route | None = None
        self.playing: list[Move] = []
        self.paused = False
        self._level = 0
        self._guide = Guide()
        self._searching = CancelFlag()

    def compose(self) -> ComposeResult:
        """The board in the middle, messages below it."""
        with Middle(), Vertical():
            with Center():
                yield BoardView(self.game.goal)
            yield Static(id="state")
            yield Static(id="said")
        yield Footer()

    def on_mount(self) -> None:
        """Show the first board; the clock ticks every second."""
        self.set_interval(1.0, self._tick)
        self.set_interval(self._step_seconds, self._play_on)
        self._changed()
        if self.game.note:
            self._say(self.game.note)

    def _tick(self) -> None:
        if self.gone():
            self.action_interrupt()
        else:
            self._show_state()

    def on_unmount(self) -> None:
        """Stop what is still searching."""
        self._searching.set()

    def on_board_view_clicked(self, message: BoardView.Clicked) -> None:
        """Slide what was clicked."""
        self.playing.clear()
        if self.game.slide(message.cell):
            self._changed()

    def action_tile(self, direction: str) -> None:
        """Move a tile: the blank goes in the opposite direction."""
        self.playing.clear()
        if self.game.move(Move(direction).opposite):
            self._changed()
        else:
            self.bell()

    def action_undo(self) -> None:
        """Take the last move back."""
        self.playing.clear()
        if self.game.undo():
            self._changed()

    def action_redo(self) -> None:
        """Make it again."""
        self.playing.clear()
        if self.game.redo():
            self._changed()

    def action_interrupt(self) -> None:
        """End the game as Ctrl-C ends other programs: nothing is waited for."""
        self.interrupted()
        self._searching.set()
        self.exit(return_code=INTERRUPTED)

    def action_restart(self) -> None:
        """Back to the start."""
        self.playing.clear()
        self.game.restart()
        self._changed()

    def action_next(self) -> None:
        """Another board."""
        self.playing.clear()
        if self.game.next():
            self._changed()
        else:
            self._say("There is no other board: start with a shape such as 4x4 to get more.")

    def action_hint(self) -> None:
        """A hint; each further one on the same board gives more away."""
        if self.route is None:
            self._say("Still looking ...")
            return
        self._level = min(LEVELS, self._level + 1)
        given = hint(self.game.board, self.route, self._level)
        tiles = self.game.board.tiles
        cells = given.area or ([tiles.index(given.tile)] if given.tile else [])
        self.query_one(BoardView).marked = frozenset(cells)
        self._say(given.text)

    def action_solve(self) -> None:
        """Look for the solution, then play it."""
        self.paused = False
        if self.route is not None and self.route.distance is not None:
            self._play(self.route)
        else:
            self._say("Looking for the shortest solution ...")
            self._searching.set()
            self._searching = CancelFlag()
            self._find(self.game.board, SECONDS_FOR_SOLUTION, self._searching, then_play=True)

    def action_pause(self) -> None:
        """Hold the solution, or go on with it."""
        self.paused = not self.paused

    def _changed(self) -> None:
        """Show another board, and find out how far it is."""
        view = self.query_one(BoardView)
        view.board, view.marked = self.game.board, frozenset()
        self.route, self._level = None, 0
        self._searching.set()
        self._searching = CancelFlag()
        if self.game.solved:
            self._say(f"{self.game.ending} n: a new board")
        elif not self.playing:
            self._say("")
        self._show_state()
        self._find(self.game.board, SECONDS_FOR_DISTANCE, self._searching)

    @work(thread=True)
    def _find(
        self, board: Board, seconds: float, cancel: CancelFlag, *, then_play: bool = False
    ) -> None:
        """Find the route from a board in a thread; a result that comes too late is dropped."""
        route = self._guide.route(board, self.game.goal, Limits(seconds=seconds), cancel=cancel)
        if not cancel.is_set():
            self.call_from_thread(self._found, board, route, then_play)

    def _found(self, board: Board, route: Route, then_play: bool) -> None:
        if board != self.game.board:
            return
        self.route = route
        self._show_state()
        if then_play:
            self._play(route)

    def _play(self, route: Route) -> None:
        """Start to play a solution."""
        self.playing = [Move(move) for move in route.moves or ""]
        if self.playing:
            sure = "" if route.distance is not None else ", not the shortest"
            self._say(f"{len(self.playing)} moves{sure}. space: pause")

    def _play_on(self) -> None:
        """One more move of the solution that is being played."""
        if self.playing and not self.paused:
            self.game.move(self.playing.pop(0), by_program=True)
            self._changed()

    def _show_state(self) -> None:
        if not self.query("#state"):  # the clock ticks once more while the screen closes
            return
        game = self.game
        minutes, seconds = divmod(int(game.seconds), 60)
        count = len(game.done)
        moves = f"{count} move{'' if count == 1 else 's'}"
        parts = [f"goal {game.goal.name}", moves, f"{minutes}:{seconds:02}"]
        if self.route is not None and self.route.distance is not None:
            parts.append(f"{self.route.distance} from here")
        elif self.route is not None:
            parts.append(f"at least {self.route.lower_bound} from here")
        self.query_one("#state", Static).update("   ".join(parts))

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(Text(text))
