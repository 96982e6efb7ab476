"""Does what an app does with the library and the account. Uses py-opensonic, which parses responses strictly.

Reads one JSON object from standard input: url, port, email, key, songId. Writes what it found as one JSON object.
"""
import asyncio
import json
import sys

from libopensonic import AsyncConnection, errors

PAGE_SIZE = 500


async def sync(app):
    """Copies the library page by page, by searching for an empty text."""
    found = {"song": [], "album": [], "artist": []}
    for kind, ids in found.items():
        while True:
            counts = {f"{other}_count": 0 for other in found} | {f"{kind}_count": PAGE_SIZE, f"{kind}_offset": len(ids)}
            page = getattr(await app.search3("", **counts), kind) or []
            ids.extend(item.id for item in page)
            if len(page) < PAGE_SIZE:
                break
    return found


async def walk_albums(app, album_ids):
    """Finds all songs through their albums, as some apps do."""
    songs = []
    for album_id in album_ids:
        album = await app.get_album(album_id)
        await app.get_artist(album.artist_id)
        songs.extend(song.id for song in album.song)
    return songs


async def edit_playlist(app, songs):
    first, second, third = songs
    await app.create_playlist(name="From Python", song_ids=[first, second])
    [playlist] = [one for one in await app.get_playlists() if one.name == "From Python"]
    await app.update_playlist(playlist.id, name="On the road", song_ids_to_add=[third], song_indices_to_remove=[0])
    changed = await app.get_playlist(playlist.id)
    await app.delete_playlist(playlist.id)
    return {"name": changed.name, "songs": [song.id for song in changed.entry]}


async def play(app, song_id):
    await app.report_playback(song_id, "song", 0, "starting")
    response = await app.stream(song_id)
    audio = await response.read()
    await app.scrobble(song_id)
    song = await app.get_song(song_id)
    return {"bytes": len(audio), "size": song.size, "type": response.content_type, "played": song.played is not None}


async def download(app, song_id):
    try:
        response = await app.download(song_id)
        return len(await response.read()) if response.content_type == "audio/mp4" else response.content_type
    except errors.SonicError as error:
        return type(error).__name__


async def walk(app, song_id):
    await app.ping()
    found = await sync(app)
    songs = found["song"]
    await app.star(sids=songs[:1])
    starred = [song.id for song in (await app.get_starred2()).song]
    await app.unstar(sids=songs[:1])
    await app.save_play_queue_by_index(ids=songs[:3], current_index=2, position=1500)
    queue = await app.get_play_queue_by_index()
    return {
        "found": found,
        "through_albums": await walk_albums(app, found["album"][:50]),
        "artists": sum(len(index.artist) for index in (await app.get_artists()).index),
        "playlist": await edit_playlist(app, songs[:3]),
        "starred": starred,
        "queue": [[song.id for song in queue.entry], queue.current_index, queue.position],
        "lyrics": [line.value for lyrics in await app.get_lyrics_by_song_id(song_id) for line in lyrics.line],
        "similar": len(await app.get_sonic_similar_tracks(song_id)),
        "extensions": [extension.name for extension in await app.get_open_subsonic_extensions()],
        "play": await play(app, song_id),
        "download": await download(app, song_id),
    }


async def main():
    given = json.load(sys.stdin)
    logins = {
        "token": {"username": given["email"], "password": given["key"]},
        "password": {"username": given["email"], "password": given["key"], "legacy_auth": True},
        "api_key": {"api_key": given["key"], "use_get": True},
    }
    for login in logins.values():
        app = AsyncConnection(given["url"], port=given["port"], **login)
        await app.ping()
        await app.cleanup()
    app = AsyncConnection(given["url"], port=given["port"], **logins["token"])
    try:
        json.dump({"logins": list(logins)} | await walk(app, given["songId"]), sys.stdout)
    finally:
        await app.cleanup()


asyncio.run(main())
