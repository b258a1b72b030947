const all=JSON.parse(document.getElementById("evidence").textContent),told=all.told,$=(id)=>document.getElementById(id);
const src=(text)=>"data:image/jpeg;base64,"+text;if($("deciding"))$("deciding").src=src(all.deciding);
let at=0,timer=null;const show=(k)=>{at=k;$("film").src=src(all.clip[k]);$("scrub").value=k;$("which").textContent=$("which").dataset.word+" "+told.clip[k].frame+" · "+(told.clip[k].ms/1000).toFixed(3)+" s"};
const stop=()=>{clearTimeout(timer);timer=null;$("play").textContent="▶"};
const next=()=>{const k=at+1<all.clip.length?at+1:0,wait=k?told.clip[k].ms-told.clip[k-1].ms:600;timer=setTimeout(()=>{show(k);next()},wait/Number($("speed").value))};
if($("film")){show(0);$("scrub").oninput=(e)=>{stop();show(Number(e.target.value))};$("play").onclick=()=>{if(timer){stop();return}$("play").textContent="❚❚";next()};
addEventListener("keydown",(e)=>{const step={ArrowLeft:-1,ArrowRight:1}[e.key];if(step&&e.target.id!=="scrub"){stop();show(Math.max(0,Math.min(all.clip.length-1,at+step)))}})}
