// Form state for logo and icon: a new image that is being uploaded, or the saved one to be removed on save.
import { useCover, type DraftCover } from '../shared/use-cover.ts'

export interface DraftEmblems {
  logo: DraftCover
  icon: DraftCover
}

export function useEmblems(kept: DraftEmblems | null) {
  const logo = useEmblem(kept?.logo ?? null)
  const icon = useEmblem(kept?.icon ?? null)
  return {
    logo,
    icon,
    isChanged: logo.isChanged || icon.isChanged,
    kept: { logo: logo.kept, icon: icon.kept } satisfies DraftEmblems,
    clear() {
      logo.clear()
      icon.clear()
    },
    /** Resets both to the default. */
    reset(isSaved: { logo: boolean; icon: boolean }) {
      logo.upload.clear()
      logo.setIsRemoved(isSaved.logo)
      icon.upload.clear()
      icon.setIsRemoved(isSaved.icon)
    },
    /** Waits for the uploads and returns the paths for the request body. */
    async paths() {
      return { logo_path: await logo.path(), icon_path: await icon.path() }
    },
  }
}

function useEmblem(kept: DraftCover | null) {
  const cover = useCover(kept)
  return {
    ...cover,
    /** URL of the image shown in the preview. */
    shownUrl: (current: string | null) =>
      cover.upload.previewUrl ?? (cover.isRemoved ? null : current),
  }
}
export type EmblemFile = ReturnType<typeof useEmblem>
