// Whether this device keeps music, for whoever has to know before the database is open.

/** Tells the next start of the app that there is something to look after, without opening the database. */
const markName = 'velour-keeps-music'

export function markKept(keepsMusic: boolean): void {
  try {
    if (keepsMusic) localStorage.setItem(markName, 'true')
    else localStorage.removeItem(markName)
  } catch {
    // Storage is forbidden here, and with it keeping music.
  }
}

export function hasKeptMark(): boolean {
  try {
    return localStorage.getItem(markName) !== null
  } catch {
    return false
  }
}
