// A mark in localStorage that this device has downloads. It can be read before the database is open.

/** Marks that this device has downloads, so that the next start of the app loads the download manager. */
const markName = 'velour-keeps-music'

export function setDownloadMark(hasDownloads: boolean): void {
  try {
    if (hasDownloads) localStorage.setItem(markName, 'true')
    else localStorage.removeItem(markName)
  } catch {
    // Storage is blocked, so downloads are impossible too.
  }
}

export function hasDownloadMark(): boolean {
  try {
    return localStorage.getItem(markName) !== null
  } catch {
    return false
  }
}
