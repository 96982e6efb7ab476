// The files in a track's form: recording and cover.
import { useCover, type KeptCover } from '../shared/use-cover.ts'
import { useUpload, type KeptFile } from '../shared/use-upload.ts'

export interface KeptTrackFiles extends KeptCover {
  audio: KeptFile | null
}

export function useTrackFiles(kept: KeptTrackFiles | null) {
  const audio = useUpload('audio', kept?.audio)
  const cover = useCover(kept)
  return {
    audio,
    cover,
    isChanged: cover.isChanged || audio.state.status !== 'idle',
    kept: { ...cover.kept, audio: audio.kept } satisfies KeptTrackFiles,
    clear() {
      audio.clear()
      cover.clear()
    },
  }
}

export type TrackFiles = ReturnType<typeof useTrackFiles>
