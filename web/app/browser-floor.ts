// Browsers older than those in package.json get the notice in index.html, which CSS hides for all others.

/** Checks the two features that set the minimum versions. Without them menus, lists and uploads throw. */
export function isBelowFloor(): boolean {
  return !('popover' in HTMLElement.prototype && 'any' in AbortSignal)
}
