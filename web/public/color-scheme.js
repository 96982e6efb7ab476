// Sets the colour scheme before the first paint, so that nobody sees a flash of the other one, and follows the system
// until the app has come. A file of its own because the content security policy allows no inline script; it agrees
// with ui/color-scheme.ts on the key and the values.
;(function () {
  var system = matchMedia('(prefers-color-scheme: light)')
  function apply() {
    var choice = null
    try {
      choice = localStorage.getItem('velour-color-scheme')
    } catch {
      // Storage is forbidden here: follow the system.
    }
    var light = choice === 'light' || (choice !== 'dark' && system.matches)
    document.documentElement.setAttribute('data-mantine-color-scheme', light ? 'light' : 'dark')
    var themeColor = document.querySelector('meta[name="theme-color"]')
    if (themeColor) themeColor.setAttribute('content', light ? '#f9f2ee' : '#150a13')
  }
  apply()
  system.addEventListener('change', apply)
})()

// An empty page whose app did not start, because a file of it did not arrive, is loaded once more. The browser fires `load`
// after the app's script has run or failed; main.tsx leaves the mark.
addEventListener('load', function () {
  var root = document.getElementById('root')
  if (!root || root.firstChild || document.documentElement.hasAttribute('data-app-started')) return
  try {
    if (sessionStorage.getItem('velour-loaded-again') === location.href) return
    sessionStorage.setItem('velour-loaded-again', location.href)
  } catch {
    // Without storage it could go on for ever.
    return
  }
  location.reload()
})
