// The only script that the landing page needs: plays the previews before the app has come, and lets it come once
// the page is there. A button outside of the stage that is pressed earlier gets the app at once, and its press
// then.
import { appStarted } from '../app/app-start.ts'
import { readLandingData } from './landing-data.ts'
import { attachStage } from './preview-stage.ts'

const idleTimeoutMs = 2000

let pressedEarly: HTMLElement | null = null
let isStarted = false

const facts = readLandingData()
const stage = document.querySelector<HTMLElement>('[data-stage]')
if (facts && stage) attachStage(stage, facts.showcase)

document.addEventListener('click', keepPress, { capture: true })
void appStarted.then(() => {
  document.removeEventListener('click', keepPress, { capture: true })
  pressedEarly?.click()
})
if (document.readyState === 'complete') startWhenIdle()
else addEventListener('load', startWhenIdle, { once: true })

function keepPress(event: MouseEvent): void {
  const element = event.target instanceof Element ? event.target.closest('button, input') : null
  if (!(element instanceof HTMLElement) || stage?.contains(element)) return
  event.preventDefault()
  pressedEarly = element
  startApp()
}

function startWhenIdle(): void {
  if ('requestIdleCallback' in window) requestIdleCallback(startApp, { timeout: idleTimeoutMs })
  else setTimeout(startApp)
}

/** The page says where the app is: first its entry, then what that needs, so that all of it comes at once. */
function startApp(): void {
  const [app, ...parts] = document
    .querySelector<HTMLScriptElement>('script[data-app]')
    ?.dataset['app']?.split(' ') ?? ['']
  if (!app || isStarted) return
  isStarted = true
  for (const href of parts) {
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    )
  }
  import(/* @vite-ignore */ app).catch((error: unknown) => {
    // Not reachable right now: the page is whole without it, and its links lead on all the same.
    isStarted = false
    console.info(error)
  })
}
