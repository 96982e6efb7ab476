// Serves `/api/v1/…` like `/api/…`. The URL is rewritten before all else, so that rights, limits and all other checks
// are the same. docs/release-policy.md defines what a version guarantees.

const versioned = '/api/v1/'

export function rewriteVersionedPath({ url = '/' }: { url?: string }): string {
  return url.startsWith(versioned) ? `/api/${url.slice(versioned.length)}` : url
}
