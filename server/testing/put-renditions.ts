// For tests: stores encoded files of a track in the same way as processing does.
import type { Services } from '../services.ts'

export type RenditionKind = 'standard' | 'high' | 'preview'

const previewSeconds = 45

/** `seconds` is the length of the full song. The preview is always 45 seconds long. */
export async function putRenditions(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  trackId: string,
  files: Partial<Record<RenditionKind, Buffer>>,
  seconds: number,
): Promise<void> {
  for (const [name, file] of Object.entries(files)) {
    const kind = name as RenditionKind
    const isPreview = kind === 'preview'
    const storage_key = `audio/${trackId}/${kind}.m4a`
    const { etag } = await storage.put(storage_key, file)
    await db.query
      .insertInto('renditions')
      .values({
        track_id: trackId,
        kind,
        storage_key,
        mime: 'audio/mp4',
        byte_size: file.length,
        duration_seconds: isPreview ? previewSeconds : seconds,
        etag,
        preview_length_seconds: isPreview ? previewSeconds : null,
      })
      .execute()
  }
}
