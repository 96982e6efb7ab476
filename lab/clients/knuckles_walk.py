"""Does what an app does with the library and the account. Uses knuckles, which rejects responses that lack a field.

Reads one JSON object from standard input: url, port, email, key, songId. Writes what it found as one JSON object.
"""
import json
import sys
import tempfile
from datetime import datetime
from pathlib import Path

import knuckles

PAGE_SIZE = 500


def sync(app):
    """Copies the library page by page, by searching for an empty text."""
    found = {"song": [], "album": [], "artist": []}
    for kind, ids in found.items():
        while True:
            counts = {f"{other}_count": 0 for other in found} | {f"{kind}_count": PAGE_SIZE, f"{kind}_offset": len(ids)}
            page = getattr(app.searching.search("", **counts), f"{kind}s") or []
            ids.extend(item.id for item in page)
            if len(page) < PAGE_SIZE:
                break
    return found


def walk_artists(app):
    """Finds all albums through their artists."""
    albums = set()
    for artist in app.browsing.get_artists():
        app.browsing.get_top_songs(artist.name, 5)
        albums.update(album.id for album in app.browsing.get_artist(artist.id).albums)
    return len(albums)


def read_account(app, song_id):
    """Reads what apps read when they start and when they play a song."""
    song = app.browsing.get_song(song_id)
    app.media_annotation.star_song(song_id)
    starred = [one.id for one in app.lists.get_starred().songs]
    app.media_annotation.unstar_song(song_id)
    app.media_annotation.set_rating(song_id, 4)
    rated = app.browsing.get_song(song_id).user_rating
    app.media_annotation.remove_rating(song_id)
    app.bookmarks.save_play_queue([song_id], song_id, 1500)
    lyrics = app.media_retrieval.get_lyrics(song.artist.name, song.title)
    empty = [app.bookmarks.get_bookmarks(), app.sharing.get_shares(), app.internet_radio.get_internet_radio_stations()]
    return {"starred": starred, "rated": rated, "lyrics": lyrics.lyrics, "empty": [len(one) for one in empty]}


def play(app, song_id):
    response = app.api.raw_request("stream", {"id": song_id})
    app.media_annotation.scrobble([song_id], [datetime.now()])
    song = app.browsing.get_song(song_id)
    return {"bytes": len(response.content), "size": song.size, "type": response.headers["content-type"]}


def read_cover(app, song_id):
    with tempfile.TemporaryDirectory() as folder:
        return app.media_retrieval.get_cover_art(song_id, Path(folder), 300).suffix


def main():
    given = json.load(sys.stdin)
    address = f"{given['url'].split('//')[1]}:{given['port']}"
    app = knuckles.Subsonic(address, given["email"], given["key"], "knuckles", use_https=False)
    song_id = given["songId"]
    walk = {
        "found": sync(app),
        "through_artists": walk_artists(app),
        "account": read_account(app, song_id),
        "play": play(app, song_id),
        "cover": read_cover(app, song_id),
    }
    json.dump(walk, sys.stdout)


main()
