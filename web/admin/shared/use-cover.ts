// Form state of a cover: unchanged, replaced by an upload, or removed on save.
import { useState } from 'react'
import { coverPath } from './cover-field.tsx'
import { useUpload, type DraftFile } from './use-upload.ts'

export interface DraftCover {
  cover: DraftFile | null
  isCoverRemoved: boolean
}

export function useCover(kept: DraftCover | null = null) {
  const upload = useUpload('covers', kept?.cover)
  const [isRemoved, setIsRemoved] = useState(kept?.isCoverRemoved ?? false)
  return {
    upload,
    isRemoved,
    setIsRemoved,
    isChanged: isRemoved || upload.state.status !== 'idle',
    kept: { cover: upload.kept, isCoverRemoved: isRemoved } satisfies DraftCover,
    clear() {
      upload.clear()
      setIsRemoved(false)
    },
    path: () => coverPath(upload, isRemoved),
  }
}
