// Has the browser fetch a file by itself: it streams to the disk, however long it is.
import { endpointUrl } from '../app/api.ts'

export function downloadFile(path: string, query: Record<string, unknown>, filename: string): void {
  const link = document.createElement('a')
  link.href = endpointUrl(path, { query })
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
}
