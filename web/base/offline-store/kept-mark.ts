// Whether this device has downloads, readable before the database is open.

/** Tells the next start of the app that there are downloads to manage, without opening the database. */
const markName = 'velour-keeps-music'

export function markKept(keepsMusic: boolean): void {
  try {
    if (keepsMusic) localStorage.setItem(markName, 'true')
    else localStorage.removeItem(markName)
  } catch {
    // Storage is forbidden, so downloads are impossible too.
  }
}

export function hasKeptMark(): boolean {
  try {
    return localStorage.getItem(markName) !== null
  } catch {
    return false
  }
}
