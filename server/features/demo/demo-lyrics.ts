// Lyrics for three of the demo songs, as LRC. Each line begins with a phrase of the lead, which plays the vocal melody;
// a test compares the times with the compositions.

const stayForTheRain = `[00:14.44]Lamps go soft now
[00:17.50]The street is all gold
[00:21.44]Leave your coat here
[00:24.50]It's still cold
[00:28.00]Stay for the rain, love
[00:31.94]Let it tell the time
[00:35.00]One more slow song now
[00:38.50]Hand in mine
[00:49.00]Stay for the rain, love
[00:52.94]Let the last train go
[00:56.00]Morning can wait, love
[00:59.50]Take it slow
`

const carryMeOver = `[00:13.93]Came down to water
[00:16.72]Worn from the road
[00:20.62]My hands were empty
[00:23.41]My load
[00:27.31]You sang in the dark
[00:30.09]Soft and low
[00:33.99]And something in me
[00:36.78]Let go
[00:40.13]Carry me over
[00:43.47]Where the light begins
[00:46.81]Every river
[00:50.16]Flows back in
[00:53.50]Carry me over
[00:56.84]Valley and stone
[01:00.19]Nobody here
[01:03.53]Alone
[01:06.88]Oh, rise
[01:10.22]Oh, rise
[01:13.56]Carry me over
[01:16.91]Lift me with your song
[01:20.25]I was a stone
[01:23.59]Now I'm strong
[01:26.94]Carry me home
[01:30.28]Where the light begins
[01:33.63]Open the door
[01:36.97]Come in
`

const secondWind = `[00:15.17]Shoes on the pavement, streetlights going by
[00:18.96]Heart like an engine, alive
[00:22.75]Here it comes, second wind, lifting me off the ground
[00:26.54]Every mile that I owe, paid in sound
[00:30.33]Here it comes, second wind, nothing can slow me now
[00:34.13]One more hill, one more breath, watch how
[00:45.50]Doubt on my shoulder, left it at the light
[00:49.29]Counting the heartbeats tonight
[00:53.08]Here it comes, second wind, lifting me off the ground
[00:56.88]Every mile that I owe, paid in sound
[01:00.67]Here it comes, second wind, nothing can slow me now
[01:04.46]One more hill, one more breath, watch how
[01:08.25]Breathe it in
[01:10.15]Let it out
[01:12.04]Here it comes, second wind, lifting me off the ground
[01:15.83]Every mile that I owe, paid in sound
[01:19.63]Here it comes, second wind, nothing can slow me now
[01:23.42]One more hill, one more breath, I'm found
`

/** Lyrics by the slug of their track. */
export const demoLyrics = {
  'stay-for-the-rain': stayForTheRain,
  'carry-me-over': carryMeOver,
  'second-wind': secondWind,
} as const
