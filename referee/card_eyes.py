"""Eyes for the deck that the players use, blind to what the game keeps secret."""

from dataclasses import dataclass, field

from calibration.profile import Profile
from hardware.frames import Image
from referee.errors import TableError
from referee.folder import FootageFolder
from referee.reading import Secrets
from referee.types import Card


@dataclass(slots=True)
class DeckEyes:
    """Reads one deck; `secrets` may be changed between pictures."""

    profile: Profile
    secrets: Secrets = field(default_factory=Secrets)

    def see(self, image: Image) -> tuple[Card, ...]:
        raise TableError(f"no deck can be read yet in a picture of {image.shape[1]} x {image.shape[0]}")


def deck_eyes(folder: FootageFolder, profile: Profile) -> DeckEyes:
    """Eyes that read the deck named in match.toml."""
    if folder.match.deck.folder and not (folder.path / folder.match.deck.folder).is_dir():
        raise TableError(f"there is no deck folder {folder.match.deck.folder}")
    return DeckEyes(profile)
