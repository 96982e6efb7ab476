// The uploads in the form of a track: recording and cover.
import { useCover, type DraftCover } from '../shared/use-cover.ts'
import { useUpload, type DraftFile } from '../shared/use-upload.ts'

export interface DraftTrackFiles extends DraftCover {
  audio: DraftFile | null
}

export function useTrackFiles(kept: DraftTrackFiles | null) {
  const audio = useUpload('audio', kept?.audio)
  const cover = useCover(kept)
  return {
    audio,
    cover,
    isChanged: cover.isChanged || audio.state.status !== 'idle',
    kept: { ...cover.kept, audio: audio.kept } satisfies DraftTrackFiles,
    clear() {
      audio.clear()
      cover.clear()
    },
  }
}

export type TrackFiles = ReturnType<typeof useTrackFiles>
