// The code of what opens from the bar. Apart, so that it can be fetched ahead without being drawn.
export const loadQueuePanel = () => import('./queue-panel.tsx')
export const loadLyricsPanel = () => import('./lyrics-panel.tsx')
export const loadSettingsPanel = () => import('./settings-panel.tsx')

export async function loadPanels(): Promise<void> {
  await Promise.all([loadQueuePanel(), loadLyricsPanel(), loadSettingsPanel()])
}
