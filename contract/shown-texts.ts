// Texts of errors that the web app also shows without a request. In a file of their own, so that the web app does not
// load the table of all errors.
export const sharedErrorTexts = {
  playlist_limit_reached:
    'Free users can create 1 playlist with up to 10 tracks. Upgrade for unlimited playlists!',
  track_limit_reached:
    'Free users can add up to 10 tracks per playlist. Upgrade for unlimited tracks!',
  playlist_read_only: 'You can listen to this playlist, but you cannot change it.',
  playlist_is_smart: 'This playlist is filled by its rules. Change the rules instead.',
  track_already_in_playlist: 'Track already in playlist',
  maintenance: 'We are making things better. Please come back in a little while.',
} as const
