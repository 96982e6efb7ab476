// Browsers older than those in package.json get the notice in index.html, which CSS hides for all others.

/**
 * Checks for the two features that determine the minimum browser versions. Without them, menus, lists and uploads
 * throw.
 */
export function isBelowFloor(): boolean {
  return !('popover' in HTMLElement.prototype && 'any' in AbortSignal)
}
