// The only script that the landing page needs: plays the previews before the app has come, and brings the app. Its
// files are fetched once the page is there and nothing else is on its way; it starts with the first sign that
// somebody is there. A button outside of the stage that is pressed before the app has started gets its press then.
import { appStarted } from '../app/app-start.ts'
import { hasKeptMark } from '../offline/kept-mark.ts'
import { readLandingData } from './landing-data.ts'
import { attachStage } from './preview-stage.ts'

/** What only a person does; the first of it is well before the first press. */
const signsOfLife = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown']
const idleTimeoutMs = 2000

let pressedEarly: HTMLElement | null = null
let isStarting = false

const facts = readLandingData()
const stage = document.querySelector<HTMLElement>('[data-stage]')
if (facts && stage) attachStage(stage, facts.showcase)

document.addEventListener('click', keepPress, { capture: true })
void appStarted.then(() => {
  document.removeEventListener('click', keepPress, { capture: true })
  pressedEarly?.click()
})
for (const sign of signsOfLife) addEventListener(sign, startApp, { passive: true })
if (document.readyState === 'complete') whenIdle(prepareApp)
else addEventListener('load', () => whenIdle(prepareApp), { once: true })

function keepPress(event: MouseEvent): void {
  const element = event.target instanceof Element ? event.target.closest('button, input') : null
  if (!(element instanceof HTMLElement) || stage?.contains(element)) return
  event.preventDefault()
  pressedEarly = element
  startApp()
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: idleTimeoutMs })
  else setTimeout(act)
}

/**
 * Who comes with a session wants to see their own navigation; what somebody keeps here without one is locked; and a page
 * without music or in maintenance looks itself whether that has changed. All of them need the app at once.
 */
function prepareApp(): void {
  const isWaiting = !facts || facts.showcase.length === 0 || facts.site.maintenance_mode
  if (isWaiting || !facts.is_visitor || hasKeptMark()) return startApp()
  for (const href of filesOfApp()) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href })
    link.fetchPriority = 'low'
    document.head.append(link)
  }
}

function startApp(): void {
  const [app] = filesOfApp()
  if (!app || isStarting) return
  isStarting = true
  for (const sign of signsOfLife) removeEventListener(sign, startApp)
  import(/* @vite-ignore */ app).catch((error: unknown) => {
    // Not reachable right now: the page is whole without it, its links lead on, and the next press tries again.
    isStarting = false
    console.info(error)
  })
}

/** The page says where the app is: its entry first, then what that needs. None where the page starts it itself. */
function filesOfApp(): string[] {
  const script = document.querySelector<HTMLScriptElement>('script[data-app]')
  return script?.dataset['app']?.split(' ') ?? []
}
