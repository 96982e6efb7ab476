// Does what an app does with the library and the account. Uses go-subsonic, the library of the desktop app Supersonic.
//
// Reads one JSON object from standard input: url, email, key, songId. Writes the results as one JSON object.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/supersonic-app/go-subsonic/subsonic"
)

const pageSize = 500

type input struct {
	URL    string `json:"url"`
	Email  string `json:"email"`
	Key    string `json:"key"`
	SongID string `json:"songId"`
}

type playlist struct {
	Name  string   `json:"name"`
	Songs []string `json:"songs"`
}

type play struct {
	Bytes  int64 `json:"bytes"`
	Size   int64 `json:"size"`
	Played bool  `json:"played"`
}

type walk struct {
	Logins        []string            `json:"logins"`
	Found         map[string][]string `json:"found"`
	ThroughAlbums []string            `json:"through_albums"`
	Artists       int                 `json:"artists"`
	Playlist      playlist            `json:"playlist"`
	Starred       []string            `json:"starred"`
	Queue         []any               `json:"queue"`
	Lyrics        []string            `json:"lyrics"`
	Extensions    []string            `json:"extensions"`
	Play          play                `json:"play"`
	CoverWidth    int                 `json:"cover_width"`
	Downloads     bool                `json:"downloads"`
}

func main() {
	var given input
	check(json.NewDecoder(os.Stdin).Decode(&given))
	check(json.NewEncoder(os.Stdout).Encode(walkThrough(given)))
}

func walkThrough(given input) walk {
	// Ways to sign in. An app uses one of them, and all must be accepted. The rest of the program uses the last one.
	var app *subsonic.Client
	logins := []string{}
	for _, login := range []struct {
		name     string
		password bool
		json     bool
	}{{"password, JSON", true, true}, {"token, XML", false, false}, {"token, JSON", false, true}} {
		app = &subsonic.Client{
			Client:       http.DefaultClient,
			BaseUrl:      given.URL,
			User:         given.Email,
			ClientName:   "go-walk",
			PasswordAuth: login.password,
			UseJSON:      login.json,
		}
		check(app.Authenticate(given.Key))
		logins = append(logins, login.name)
	}
	found := map[string][]string{}
	for _, kind := range []string{"song", "album", "artist"} {
		found[kind] = sync(app, kind)
	}
	songs := found["song"]
	result := walk{
		Logins:        logins,
		Found:         found,
		ThroughAlbums: walkAlbums(app, found["album"][:50]),
		Artists:       countArtists(app),
		Playlist:      editPlaylist(app, songs[:3]),
		Starred:       star(app, songs[0]),
		Queue:         saveQueue(app, songs[:3]),
		Lyrics:        readLyrics(app, given.SongID),
		Play:          playSong(app, given.SongID),
		CoverWidth:    coverWidth(app, given.SongID),
	}
	extensions, err := app.GetOpenSubsonicExtensions()
	check(err)
	for _, extension := range extensions {
		result.Extensions = append(result.Extensions, extension.Name)
	}
	_, err = app.Download(given.SongID)
	result.Downloads = err == nil
	return result
}

// sync copies the ids of one kind page by page, by searching for an empty text.
func sync(app *subsonic.Client, kind string) []string {
	ids := []string{}
	for {
		parameters := map[string]string{"songCount": "0", "albumCount": "0", "artistCount": "0"}
		parameters[kind+"Count"] = strconv.Itoa(pageSize)
		parameters[kind+"Offset"] = strconv.Itoa(len(ids))
		page, err := app.Search3("", parameters)
		check(err)
		before := len(ids)
		for _, song := range page.Song {
			ids = append(ids, song.ID)
		}
		for _, album := range page.Album {
			ids = append(ids, album.ID)
		}
		for _, artist := range page.Artist {
			ids = append(ids, artist.ID)
		}
		if len(ids)-before < pageSize {
			return ids
		}
	}
}

// walkAlbums finds all songs through their albums, as some apps do.
func walkAlbums(app *subsonic.Client, albumIDs []string) []string {
	songs := []string{}
	for _, id := range albumIDs {
		album, err := app.GetAlbum(id)
		check(err)
		_, err = app.GetArtist(album.ArtistID)
		check(err)
		for _, song := range album.Song {
			songs = append(songs, song.ID)
		}
	}
	return songs
}

func countArtists(app *subsonic.Client) int {
	artists, err := app.GetArtists(nil)
	check(err)
	count := 0
	for _, index := range artists.Index {
		count += len(index.Artist)
	}
	return count
}

func editPlaylist(app *subsonic.Client, songs []string) playlist {
	const name = "From Go"
	check(app.CreatePlaylistWithTracks(songs[:2], map[string]string{"name": name}))
	lists, err := app.GetPlaylists(nil)
	check(err)
	var id string
	for _, list := range lists {
		if list.Name == name {
			id = list.ID
		}
	}
	check(app.UpdatePlaylistTracks(id, songs[2:], []int{0}))
	check(app.UpdatePlaylist(id, map[string]string{"name": "On the road"}))
	changed, err := app.GetPlaylist(id)
	check(err)
	check(app.DeletePlaylist(id))
	return playlist{Name: changed.Name, Songs: idsOf(changed.Entry)}
}

func star(app *subsonic.Client, song string) []string {
	songs := subsonic.StarParameters{SongIDs: []string{song}}
	check(app.Star(songs))
	starred, err := app.GetStarred2(nil)
	check(err)
	check(app.Unstar(songs))
	return idsOf(starred.Song)
}

func saveQueue(app *subsonic.Client, songs []string) []any {
	check(app.SavePlayQueueByIndex(songs, map[string]string{"currentIndex": "2", "position": "1500"}))
	queue, err := app.GetPlayQueueByIndex()
	check(err)
	return []any{idsOf(queue.Entries), queue.CurrentIndex, queue.Position}
}

func readLyrics(app *subsonic.Client, song string) []string {
	lyrics, err := app.GetLyricsBySongId(song)
	check(err)
	lines := []string{}
	for _, text := range lyrics.StructuredLyrics {
		for _, line := range text.Lines {
			lines = append(lines, line.Text)
		}
	}
	return lines
}

// playSong reports the start, streams the whole file and scrobbles it.
func playSong(app *subsonic.Client, id string) play {
	check(app.ReportPlayback(subsonic.ReportPlaybackParameters{
		MediaID:   id,
		MediaType: subsonic.PlaybackMediaTypeSong,
		State:     subsonic.PlaybackStateStarting,
	}))
	audio, err := app.Stream(id, nil)
	check(err)
	defer audio.Close()
	bytes, err := io.Copy(io.Discard, audio)
	check(err)
	check(app.Scrobble(id, map[string]string{"submission": "true"}))
	song, err := app.GetSong(id)
	check(err)
	return play{Bytes: bytes, Size: song.Size, Played: !song.Played.IsZero()}
}

// coverWidth decodes the cover of a song and returns its width.
func coverWidth(app *subsonic.Client, id string) int {
	song, err := app.GetSong(id)
	check(err)
	cover, err := app.GetCoverArt(song.CoverArt, map[string]string{"size": "300"})
	check(err)
	return cover.Bounds().Dx()
}

func idsOf(songs []*subsonic.Child) []string {
	ids := []string{}
	for _, song := range songs {
		ids = append(ids, song.ID)
	}
	return ids
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
