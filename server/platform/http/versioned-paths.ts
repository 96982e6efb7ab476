// `/api/v1/…` is the same as `/api/…`. The URL is rewritten before anything else, so rights, limits and every other
// check are the same (docs/release-policy.md defines what a version guarantees).

const versioned = '/api/v1/'

export function rewriteVersionedPath({ url = '/' }: { url?: string }): string {
  return url.startsWith(versioned) ? `/api/${url.slice(versioned.length)}` : url
}
