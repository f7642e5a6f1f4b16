// @ts-check
/**
 * Fracas in JavaScript: plays battles with the rules as WebAssembly, in browsers, workers and Node 20.16 or newer.
 *
 *     import { loadRules } from "./fracas.js";
 *
 *     const rules = await loadRules("wasm/squads.wasm");
 *     const battle = await rules.open(await (await fetch("battle.fracas.json")).text());
 *     const { events, result, digest } = await rules.play(battle.record, battle.stream);
 *     const odds = await rules.simulate(battle.record, { count: 10_000 });
 *
 * One file without imports, so that it can also stand inside a page that is opened from disk. Nothing is fetched unless
 * you hand over an address.
 *
 * @module
 */

// ---------------------------------------------------------------------------------------------------------------------
// Types

/** @typedef {"i8" | "f8" | "u4" | "i4" | "u1" | "record"} Kind How a number is stored: its type and width in bytes. */

/**
 * @typedef {object} Field A field of a record, little-endian at `offset`; arrays are in C order without gaps.
 * @property {string} name
 * @property {number} offset From the start of the record that holds it, in bytes.
 * @property {Kind} kind
 * @property {number[]} shape Lengths of an array's dimensions; empty for a single value.
 * @property {number} [size] Bytes of one nested record.
 * @property {Field[]} [fields] Fields of a nested record.
 */

/** @typedef {{ size: number, fields: Field[] }} RecordLayout */

/**
 * @typedef {object} EventField How a value stands in an event row.
 * @property {string} name
 * @property {number} column
 * @property {"number" | "name" | "word" | "double" | "flag"} form
 * @property {string} [book] The code book of a name.
 * @property {boolean} [none] Whether -1 stands for nobody.
 */

/** @typedef {{ kind: number, name: string, detail: string, fields: EventField[] }} EventKind */

/**
 * @typedef {object} RoundOdds Side 1's odds at the start of a round.
 * @property {number} tick The round's tick.
 * @property {number} odds Wins and half the draws, as a share.
 * @property {number} count How many battles were played on from there.
 * @property {number} halves Side 1's score in half points.
 * @property {boolean} isCertain Whether no dice are rolled from there on; then it was played on once.
 */

/**
 * @typedef {object} CourseOptions
 * @property {Iterable<number>} ticks The ticks of the battle's events, in order; rounds begin at some of them.
 * @property {number} [count] How many battles from each round; absent: 1,000, as many as `fracas why`.
 * @property {(round: RoundOdds) => void} [onRound] Called with each round's odds, first of a few battles, then of all.
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} ResumeLayout How a battle goes on from a snapshot.
 * @property {number} place_length
 * @property {number[][]} spans The words to keep, as pairs of first word and end.
 * @property {number} kept_words
 * @property {number} from_set_up
 * @property {number} from_round
 */

/** @typedef {Record<string, readonly any[]>} Books Names for the numbers in event rows, by code book. */

/**
 * @typedef {object} Layout What the module's numbers mean; the JSON file beside a module.
 * @property {string} format
 * @property {number} format_version
 * @property {string} ruleset
 * @property {number} rules_version
 * @property {string} layout_key Names the rules and their layout; records of another key do not fit.
 * @property {{ file: string, bytes: number, sha256: string }} module
 * @property {RecordLayout} record
 * @property {RecordLayout} result
 * @property {{ size: number, capacity: number, count: number, fault: number, rows: number }} log
 * @property {ResumeLayout} resume
 * @property {EventKind[]} events
 * @property {Books} books Names that are the same in every battle.
 * @property {string[]} reasons Endings, by their numbers.
 * @property {{ log: number, log_full: number, log_misfit: number, dice: number, plugin: number }} faults
 */

/** @typedef {{ tick: number, kind: string, [field: string]: any }} BattleEvent An event, told with names. */

/**
 * @typedef {object} Result How a battle ended: every field of the result row, and its ending as a word.
 * @property {number} winner 1 or 2; 0 is a draw.
 * @property {string} reason
 * @property {number} rounds
 * @property {number[]} hp_left
 * @property {number[]} units_left
 */

/**
 * @typedef {object} Played One battle.
 * @property {BattleEvent[]} events
 * @property {Result} result
 * @property {string} digest blake3 over all event rows, 64 hex digits: what `fracas verify` prints.
 * @property {Int32Array} rows The event rows, eight numbers each.
 */

/**
 * @typedef {object} Progress
 * @property {number} done Battles played so far.
 * @property {number} count Battles asked for.
 * @property {number[]} wins Draws, wins of side 1 and wins of side 2 so far.
 */

/**
 * @typedef {object} SimulateOptions
 * @property {number | bigint} [first] Number of the first battle; absent: 0.
 * @property {number} count How many battles, 1 to 10^8.
 * @property {(progress: Progress) => void} [onProgress] Called each time a part is done.
 * @property {AbortSignal} [signal] Ends the run: its workers are terminated.
 * @property {number} [workers] How many workers play; 0 plays on this thread. Absent: one for each core.
 * @property {boolean} [rows] Keep the result of every battle, up to 256 MB.
 */

/**
 * @typedef {object} Verification
 * @property {boolean} ok Whether the battle came out as the bundle says.
 * @property {number | null} tick The first tick whose events differ; null if no event does.
 * @property {string} digest The digest of the battle as it was played here.
 * @property {string} message The answer as a sentence.
 */

/**
 * @typedef {object} Bundle A bundle as `fracas publish pack` writes it.
 * @property {string} format
 * @property {number} format_version
 * @property {string} ruleset
 * @property {number} rules_version
 * @property {string} layout_key
 * @property {Record<string, any>} scenario The resolved scenario document.
 * @property {string} profile
 * @property {string} seed
 * @property {string} stream The battle's number, in decimal digits.
 * @property {string[]} sides
 * @property {Books} books
 * @property {{ winner: number, reason: string, rounds: number }} result
 * @property {number} event_count
 * @property {[number, string][]} tick_digests
 * @property {string} digest
 * @property {string} record_digest
 * @property {string} record
 * @property {string} seal
 * @property {{ name: string, version: number, rules: string }} [game] The rules of a game that is no shipped ruleset.
 * @property {Decisions} [decisions] What agents or people chose, in battles of games with choices.
 */

/**
 * @typedef {object} Decisions What the sides that agents or people play choose, in order.
 * @property {number[]} sides The sides that they play, 1 or 2.
 * @property {number[][]} rows Each decision: side, actor, choice, target, as in replays.
 */

// ---------------------------------------------------------------------------------------------------------------------
// blake3 of noble-hashes, whole; `scripts/vendor_blake3.py` writes these lines. Licence: vendored.txt.

// <vendored>
// @ts-ignore
var fromNumH=n=>n/2**32|0,fromNumL=n=>n>>>0;function isBytes(a){return a instanceof Uint8Array||ArrayBuffer.isView(a)&&a.constructor.name==="Uint8Array"&&"BYTES_PER_ELEMENT"in a&&a.BYTES_PER_ELEMENT===1}var atitle=title=>title?`"${title}" `:"";function anumber(n,title=""){if(typeof n!="number")throw new TypeError(atitle(title)+"expected number, got "+typeof n);if(!Number.isSafeInteger(n)||n<0)throw new RangeError(atitle(title)+"expected integer >= 0, got "+n);return n}function abytes(value,length,title=""){if(isBytes(value)&&(length===void 0||value.length===length))return value;length!==void 0&&anumber(length,"length");let bytes=isBytes(value),ofLen=length!==void 0?` of length ${length}`:"",got=bytes?`length=${value.length}`:`type=${typeof value}`,message=atitle(title)+"expected Uint8Array"+ofLen+", got "+got;throw bytes?new RangeError(message):new TypeError(message)}function copyBytes(bytes){return Uint8Array.from(abytes(bytes))}var aobject=(value,label)=>{if(value===null||typeof value!="object"||Array.isArray(value))throw new TypeError((label==="object"?"":`"${label}" `)+"expected object, got type="+typeof value)},aopts=(value,label)=>{aobject(value,label);let proto=Object.getPrototypeOf(value);if(proto!==Object.prototype&&proto!==null)throw new TypeError(`"${label}" expected plain object`);if(Object.hasOwn(value,"__proto__"))throw new TypeError(`"${label}.__proto__" is not allowed`)};function aexists(instance,checkFinished=!0){if(instance.destroyed)throw new Error("hash was destroyed");if(checkFinished&&instance.finished)throw new Error("digest() was already called")}function aoutput(out,instance){abytes(out,void 0,"output");let min=instance.outputLen;if(!(out.length>=min))throw new RangeError('"output" expected length >= '+min)}function u8(arr){return new Uint8Array(arr.buffer,arr.byteOffset,arr.byteLength)}function u32(arr){return new Uint32Array(arr.buffer,arr.byteOffset,Math.floor(arr.byteLength/4))}function clean(...arrays){for(let i=0;i<arrays.length;i++)arrays[i].fill(0)}function rotr(word,shift){return word<<32-shift|word>>>shift}var isLE=new Uint8Array(new Uint32Array([287454020]).buffer)[0]===68;function byteSwap(word){return word<<24&4278190080|word<<8&16711680|word>>>8&65280|word>>>24&255}var swap8IfBE=isLE?n=>n:n=>byteSwap(n)>>>0;function byteSwap32(arr){for(let i=0;i<arr.length;i++)arr[i]=byteSwap(arr[i]);return arr}var swap32IfBE=isLE?u=>u:byteSwap32;function checkOpts(defaults,opts,title="opts"){return aopts(defaults,"defaults"),opts!==void 0&&aopts(opts,title),Object.assign(Object.create(null),defaults,opts)}function createHasher(hashCons,info={}){if(typeof hashCons!="function")throw new TypeError('"hashCons" expected function, got type='+typeof hashCons);info=checkOpts({},info,"info");let hashC=(msg,opts)=>hashCons(opts).update(msg).digest(),tmp=hashCons(void 0);return hashC.outputLen=tmp.outputLen,hashC.blockLen=tmp.blockLen,hashC.canXOF=tmp.canXOF,hashC.create=opts=>hashCons(opts),Object.assign(hashC,info),Object.freeze(hashC)}var SHA256_IV=Uint32Array.from([1779033703,3144134277,1013904242,2773480762,1359893119,2600822924,528734635,1541459225]);function G1s(a,b,c,d,x){return a=a+b+x|0,d=rotr(d^a,16),c=c+d|0,b=rotr(b^c,12),{a,b,c,d}}function G2s(a,b,c,d,x){return a=a+b+x|0,d=rotr(d^a,8),c=c+d|0,b=rotr(b^c,7),{a,b,c,d}}var _BLAKE2=class{buffer;buffer32;finished=!1;destroyed=!1;length=0;pos=0;blockLen;outputLen;canXOF=!1;constructor(blockLen,outputLen){anumber(blockLen),anumber(outputLen),this.blockLen=blockLen,this.outputLen=outputLen,this.buffer=new Uint8Array(blockLen),this.buffer32=u32(this.buffer)}update(data){aexists(this),abytes(data);let{blockLen,buffer,buffer32}=this,len=data.length,offset=data.byteOffset,buf=data.buffer;for(let pos=0;pos<len;){this.pos===blockLen&&(swap32IfBE(buffer32),this.compress(buffer32,0,!1),swap32IfBE(buffer32),this.pos=0);let take=Math.min(blockLen-this.pos,len-pos),dataOffset=offset+pos;if(take===blockLen&&!(dataOffset%4)&&pos+take<len){let data32=new Uint32Array(buf,dataOffset,Math.floor((len-pos)/4));swap32IfBE(data32);for(let pos32=0;pos+blockLen<len;pos32+=buffer32.length,pos+=blockLen)this.length+=blockLen,this.compress(data32,pos32,!1);swap32IfBE(data32);continue}buffer.set(pos===0&&take===len?data:data.subarray(pos,pos+take),this.pos),this.pos+=take,this.length+=take,pos+=take}return this}digestInto(out){if(aexists(this),aoutput(out,this),out.byteOffset&3)throw new RangeError('"output" expected 4-byte aligned byteOffset, got '+out.byteOffset);let{pos,buffer32}=this;this.finished=!0,this.buffer.fill(0,pos),swap32IfBE(buffer32),this.compress(buffer32,0,!0),swap32IfBE(buffer32);let state=this.get(),out32=out===this.buffer?buffer32:u32(out),full=Math.floor(this.outputLen/4);for(let i=0;i<full;i++)out32[i]=swap8IfBE(state[i]);let tail=this.outputLen%4;if(!tail)return;let off=full*4,word=state[full];for(let i=0;i<tail;i++)out[off+i]=word>>>8*i}digest(){let{buffer,outputLen}=this;this.digestInto(buffer);let res=buffer.slice(0,outputLen);return this.destroy(),res}_cloneInto(to){let{buffer,length,finished,destroyed,outputLen,pos}=this;return to||=new this.constructor({dkLen:outputLen}),to.set(...this.get()),to.buffer.set(buffer),to.destroyed=destroyed,to.finished=finished,to.length=length,to.pos=pos,to.outputLen=outputLen,to}clone(){return this._cloneInto()}};function _compress(s,offset,msg,rounds,v0,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,v14,v15){let j=0;for(let i=0;i<rounds;i++)({a:v0,b:v4,c:v8,d:v12}=G1s(v0,v4,v8,v12,msg[offset+s[j++]])),{a:v0,b:v4,c:v8,d:v12}=G2s(v0,v4,v8,v12,msg[offset+s[j++]]),{a:v1,b:v5,c:v9,d:v13}=G1s(v1,v5,v9,v13,msg[offset+s[j++]]),{a:v1,b:v5,c:v9,d:v13}=G2s(v1,v5,v9,v13,msg[offset+s[j++]]),{a:v2,b:v6,c:v10,d:v14}=G1s(v2,v6,v10,v14,msg[offset+s[j++]]),{a:v2,b:v6,c:v10,d:v14}=G2s(v2,v6,v10,v14,msg[offset+s[j++]]),{a:v3,b:v7,c:v11,d:v15}=G1s(v3,v7,v11,v15,msg[offset+s[j++]]),{a:v3,b:v7,c:v11,d:v15}=G2s(v3,v7,v11,v15,msg[offset+s[j++]]),{a:v0,b:v5,c:v10,d:v15}=G1s(v0,v5,v10,v15,msg[offset+s[j++]]),{a:v0,b:v5,c:v10,d:v15}=G2s(v0,v5,v10,v15,msg[offset+s[j++]]),{a:v1,b:v6,c:v11,d:v12}=G1s(v1,v6,v11,v12,msg[offset+s[j++]]),{a:v1,b:v6,c:v11,d:v12}=G2s(v1,v6,v11,v12,msg[offset+s[j++]]),{a:v2,b:v7,c:v8,d:v13}=G1s(v2,v7,v8,v13,msg[offset+s[j++]]),{a:v2,b:v7,c:v8,d:v13}=G2s(v2,v7,v8,v13,msg[offset+s[j++]]),{a:v3,b:v4,c:v9,d:v14}=G1s(v3,v4,v9,v14,msg[offset+s[j++]]),{a:v3,b:v4,c:v9,d:v14}=G2s(v3,v4,v9,v14,msg[offset+s[j++]]);return{v0,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,v14,v15}}var B3_Flags={CHUNK_START:1,CHUNK_END:2,PARENT:4,ROOT:8,KEYED_HASH:16,DERIVE_KEY_CONTEXT:32,DERIVE_KEY_MATERIAL:64},B3_IV=SHA256_IV.slice(),B3_SIGMA=(()=>{let Id=Array.from({length:16},(_,i)=>i),permute=arr=>[2,6,3,10,7,0,4,13,1,11,12,5,9,14,15,8].map(i=>arr[i]),res=[];for(let i=0,v=Id;i<7;i++,v=permute(v))res.push(...v);return Uint8Array.from(res)})(),_BLAKE3=class __BLAKE3 extends _BLAKE2{canXOF=!0;chunkPos=0;chunksDone=0;flags=0;IV;state;stack=[];posOut=0;bufferOut32=new Uint32Array(16);bufferOut;chunkOut=0;enableXOF=!0;constructor(opts={},flags=0){opts=checkOpts({},opts),super(64,opts.dkLen===void 0?32:opts.dkLen);let{key,context}=opts,hasContext=context!==void 0;if(key!==void 0){if(hasContext)throw new Error('cannot use both "key" and "context"');abytes(key,32,"key");let k=copyBytes(key);this.IV=u32(k),swap32IfBE(this.IV),this.flags=flags|B3_Flags.KEYED_HASH}else if(hasContext){abytes(context,void 0,"context");let ctx=context,contextKey=new __BLAKE3({dkLen:32},B3_Flags.DERIVE_KEY_CONTEXT).update(ctx).digest();this.IV=u32(contextKey),swap32IfBE(this.IV),this.flags=flags|B3_Flags.DERIVE_KEY_MATERIAL}else this.IV=B3_IV,this.flags=flags;this.state=this.IV.slice(),this.bufferOut=u8(this.bufferOut32)}get(){return[]}set(){}b2Compress(counter,flags,buf,bufPos=0){let{state:s,pos}=this,t0=fromNumL(counter),t1=fromNumH(counter),{v0,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,v14,v15}=_compress(B3_SIGMA,bufPos,buf,7,s[0],s[1],s[2],s[3],s[4],s[5],s[6],s[7],B3_IV[0],B3_IV[1],B3_IV[2],B3_IV[3],t0,t1,pos,flags);s[0]=v0^v8,s[1]=v1^v9,s[2]=v2^v10,s[3]=v3^v11,s[4]=v4^v12,s[5]=v5^v13,s[6]=v6^v14,s[7]=v7^v15}compress(buf,bufPos=0,isLast=!1){let flags=this.flags;if(this.chunkPos||(flags|=B3_Flags.CHUNK_START),(this.chunkPos===15||isLast)&&(flags|=B3_Flags.CHUNK_END),isLast||(this.pos=this.blockLen),this.b2Compress(this.chunksDone,flags,buf,bufPos),this.chunkPos+=1,this.chunkPos===16||isLast){let chunk=this.state;this.state=this.IV.slice();for(let last,chunks=this.chunksDone+1;(isLast||!(chunks&1))&&(last=this.stack.pop());chunks=Math.floor(chunks/2))this.buffer32.set(last,0),this.buffer32.set(chunk,8),this.pos=this.blockLen,this.b2Compress(0,this.flags|B3_Flags.PARENT,this.buffer32,0),chunk=this.state,this.state=this.IV.slice();this.chunksDone++,this.chunkPos=0,this.stack.push(chunk)}this.pos=0}_cloneInto(to){let staleOutput=!!to&&to.finished&&!to.destroyed;to=super._cloneInto(to);let{IV,flags,state,chunkPos,posOut,chunkOut,stack,chunksDone}=this;return to.state.set(state),to.stack=stack.map(i=>Uint32Array.from(i)),IV===B3_IV?(to.IV!==B3_IV&&clean(to.IV),to.IV=B3_IV):to.IV===B3_IV?to.IV=IV.slice():to.IV.set(IV),to.flags=flags,to.chunkPos=chunkPos,to.chunksDone=chunksDone,to.posOut=posOut,to.chunkOut=chunkOut,to.enableXOF=this.enableXOF,this.finished?to.bufferOut32.set(this.bufferOut32):staleOutput&&clean(to.bufferOut32),to}destroy(){this.destroyed=!0,clean(this.state,this.buffer32,this.bufferOut32),this.IV!==B3_IV&&clean(this.IV),clean(...this.stack)}b2CompressOut(){let{state:s,pos,flags,buffer32,bufferOut32:out32}=this,outCounter=this.chunkOut++,t0=fromNumL(outCounter),t1=fromNumH(outCounter);swap32IfBE(buffer32);let{v0,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,v14,v15}=_compress(B3_SIGMA,0,buffer32,7,s[0],s[1],s[2],s[3],s[4],s[5],s[6],s[7],B3_IV[0],B3_IV[1],B3_IV[2],B3_IV[3],t0,t1,pos,flags);out32[0]=v0^v8,out32[1]=v1^v9,out32[2]=v2^v10,out32[3]=v3^v11,out32[4]=v4^v12,out32[5]=v5^v13,out32[6]=v6^v14,out32[7]=v7^v15,out32[8]=s[0]^v8,out32[9]=s[1]^v9,out32[10]=s[2]^v10,out32[11]=s[3]^v11,out32[12]=s[4]^v12,out32[13]=s[5]^v13,out32[14]=s[6]^v14,out32[15]=s[7]^v15,swap32IfBE(buffer32),swap32IfBE(out32),this.posOut=0}finish(){if(this.finished)return;this.finished=!0,this.buffer.fill(0,this.pos);let flags=this.flags|B3_Flags.ROOT;this.stack.length?(flags|=B3_Flags.PARENT,swap32IfBE(this.buffer32),this.compress(this.buffer32,0,!0),swap32IfBE(this.buffer32),this.chunksDone=0,this.pos=this.blockLen):flags|=(this.chunkPos?0:B3_Flags.CHUNK_START)|B3_Flags.CHUNK_END,this.flags=flags,this.b2CompressOut()}writeInto(out){aexists(this,!1),abytes(out),this.finish();let{blockLen,bufferOut}=this;for(let pos=0,len=out.length;pos<len;){this.posOut>=blockLen&&this.b2CompressOut();let take=Math.min(blockLen-this.posOut,len-pos);out.set(bufferOut.subarray(this.posOut,this.posOut+take),pos),this.posOut+=take,pos+=take}return out}xofInto(out){if(!this.enableXOF)throw new Error("no XOF after digest()");return this.writeInto(out)}xof(bytes){return anumber(bytes),this.xofInto(new Uint8Array(bytes))}digestInto(out){if(aoutput(out,this),this.finished)throw new Error("digest() was already called");this.enableXOF=!1,this.writeInto(out.length===this.outputLen?out:out.subarray(0,this.outputLen)),this.destroy()}digest(){let out=new Uint8Array(this.outputLen);return this.digestInto(out),out}},blake3=createHasher((opts={})=>new _BLAKE3(opts));
// </vendored>

// ---------------------------------------------------------------------------------------------------------------------
// Errors

/** What went wrong, in a sentence. */
export class FracasError extends Error {
  /**
   * @param {"input" | "version" | "fault" | "trap" | "timeout"} code `input`: what you gave is wrong; `version`: made
   *   by another version of the rules; `fault`: a battle ran into a limit; `trap`: the module stopped; `timeout`.
   * @param {string} message
   * @param {Record<string, any>} [scenario] The scenario of a bundle made by another version, which you can pack again.
   */
  constructor(code, message, scenario) {
    super(message);
    this.name = "FracasError";
    this.code = code;
    this.scenario = scenario;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The machine: what runs in workers and on this thread alike

/**
 * Everything a worker needs. Its text is the worker's program, so it refers to nothing outside itself.
 */
function machinery() {
  const PAGE = 65536;
  // Bytes at the start of the memory for the module's own stack and constants.
  const MODULE_ROOM = 1 << 20;
  // Battles of the first chunk; chunks then grow or shrink to take about 50 ms.
  const FIRST_CHUNK = 32;

  /** @param {number} size */
  const aligned = (size) => Math.ceil(size / 64) * 64;

  /** @param {number | bigint} stream @returns {[number, number]} The halves of a stream, as the exports take them. */
  const halves = (stream) => {
    const whole = BigInt(stream);
    return [Number(BigInt.asIntN(32, whole)), Number(BigInt.asIntN(32, whole >> 32n))];
  };

  /** One instance of the module with one battle record in its memory. */
  class Machine {
    /**
     * @param {WebAssembly.Module} module
     * @param {any} layout
     * @param {Uint8Array} record
     * @param {{ edited?: boolean, capacity: number, logged?: boolean, onward?: boolean, decisions?: number }} how
     *   `decisions`: room for so many.
     */
    constructor(module, layout, record, how) {
      this.layout = layout;
      this.capacity = how.capacity;
      const { record: recordLayout, result, log } = layout;
      const { resume } = layout;
      const words = resume.kept_words + 2 * resume.spans.length + resume.place_length;
      const logged = log.size + 4 * 64 + 32 * (how.decisions ?? 0);
      const extra = how.logged ? logged : how.onward ? 3 * 64 + 8 * words : 0;
      const room = aligned(recordLayout.size) + aligned(how.capacity * result.size) + extra;
      const pages = Math.ceil((MODULE_ROOM + room) / PAGE);
      this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
      this.exports = /** @type {any} */ (new WebAssembly.Instance(module, { env: { memory: this.memory } }).exports);
      this.recordAt = aligned(this.exports.__heap_base.value);
      this.resultsAt = this.recordAt + aligned(recordLayout.size);
      this.logAt = this.resultsAt + aligned(how.capacity * result.size);
      if (this.recordAt > MODULE_ROOM) throw new Error("the module keeps more memory for itself than expected");
      new Uint8Array(this.memory.buffer).set(record, this.recordAt);
      if (how.edited) this.check(this.exports.prepare(this.recordAt));
      /** The words that play changes, before the battle began. */
      this.begun = how.onward ? this.kept() : new BigInt64Array(0);
    }

    /** @param {number} status */
    check(status) {
      if (status !== 0) throw new Error(`the module answered ${status}`);
    }

    /**
     * Play battles without a log.
     *
     * @param {number | bigint} first
     * @param {number} count
     * @returns {Uint8Array} Their results, until the next call.
     */
    simulate(first, count) {
      const [low, high] = halves(first);
      const size = count * this.layout.result.size;
      const results = new Uint8Array(this.memory.buffer, this.resultsAt, size);
      results.fill(0);
      this.check(this.exports.simulate(this.recordAt, low, high, this.resultsAt, count));
      return results;
    }

    /**
     * Play one battle with a log, if there are decisions up to the last that is legal.
     *
     * @param {number | bigint} stream
     * @param {any} [decisions]
     * @returns {{ result: Uint8Array, rows: Uint8Array, used: number }} `used`: how many decisions were played.
     */
    play(stream, decisions = null) {
      const [low, high] = halves(stream);
      const { log, result } = this.layout;
      new Uint8Array(this.memory.buffer, this.resultsAt, result.size).fill(0);
      let used = 0;
      if (decisions === null) {
        this.check(this.exports.play(this.recordAt, low, high, this.resultsAt, this.logAt));
      } else {
        const agents = decisions.sides.map((/** @type {number} */ side) => side - 1);
        const script = decisions.rows.flatMap((/** @type {number[]} */ [side, ...rest]) => [side - 1, ...rest]);
        const [agentsAt, scriptAt, reachedAt] = this.put(this.logAt + log.size, [agents, script, [0, 0]]);
        const given = [agentsAt, agents.length, scriptAt, decisions.rows.length];
        this.check(this.exports.decide(this.recordAt, low, high, ...given, this.resultsAt, this.logAt, reachedAt));
        used = Number(new DataView(this.memory.buffer).getBigInt64(reachedAt, true));
      }
      const view = new DataView(this.memory.buffer, this.logAt);
      const count = Math.min(Math.max(Number(view.getBigInt64(log.count, true)), 0), log.capacity);
      return {
        result: new Uint8Array(this.memory.buffer, this.resultsAt, result.size).slice(),
        rows: new Uint8Array(this.memory.buffer, this.logAt + log.rows, count * 32).slice(),
        used,
      };
    }

    /**
     * Write lists of 64-bit numbers, one behind the other.
     *
     * @param {number} next
     * @param {(readonly (number | bigint)[] | BigInt64Array)[]} lists
     * @returns {number[]} Where each begins.
     */
    put(next, lists) {
      return lists.map((list) => {
        const at = aligned(next);
        const words = list instanceof BigInt64Array ? list : Array.from(list, BigInt);
        new BigInt64Array(this.memory.buffer, at, list.length).set(words);
        next = at + 8 * list.length;
        return at;
      });
    }

    /**
     * Play on from a snapshot.
     *
     * @param {BigInt64Array<ArrayBuffer>} kept
     * @param {number[]} place As `kernel/snapshots.py` has it.
     * @param {number | bigint} first
     * @param {number} count
     * @returns {Uint8Array} Results, until the next call.
     */
    resume(kept, place, first, count) {
      const [low, high] = halves(first);
      const { spans } = this.layout.resume;
      const [keptAt, spansAt, placeAt] = this.put(this.logAt, [kept, spans.flat(), place]);
      const results = new Uint8Array(this.memory.buffer, this.resultsAt, count * this.layout.result.size);
      results.fill(0);
      const before = [this.recordAt, this.recordAt, keptAt, kept.length, spansAt, spans.length];
      this.check(this.exports.resume(...before, low, high, this.resultsAt, count, placeAt, place.length));
      return results;
    }

    /** @returns {BigInt64Array<ArrayBuffer>} What play changes in the record, as it is now. */
    kept() {
      const words = new BigInt64Array(this.memory.buffer, this.recordAt, this.layout.record.size / 8);
      const { spans, kept_words: size } = this.layout.resume;
      const found = new BigInt64Array(size);
      let at = 0;
      for (const [first, end] of spans) {
        found.set(words.subarray(first, end), at);
        at += end - first;
      }
      return found;
    }

    /** Give the battle other dice. @param {Uint8Array} key */
    turn(key) {
      const dice = this.layout.record.fields.find((/** @type {any} */ { name }) => name === "dice");
      const at = dice.offset + dice.fields.find((/** @type {any} */ { name }) => name === "key").offset;
      new Uint8Array(this.memory.buffer).set(key, this.recordAt + at);
    }
  }

  /** @param {any} layout @param {string} name @returns {number} Where an int64 field of a result lies, in bytes. */
  const offsetOf = (layout, name) =>
    layout.result.fields.find((/** @type {any} */ field) => field.name === name).offset;

  /**
   * Count how battles ended.
   *
   * @param {any} layout
   * @param {Uint8Array} results
   * @returns {any}
   */
  const tallyOf = (layout, results) => {
    const size = layout.result.size;
    const view = new DataView(results.buffer, results.byteOffset, results.byteLength);
    const names = ["winner", "reason", "rounds", "fault", "hp_left", "units_left"];
    const [winner, reason, rounds, fault, hp, units] = names.map((name) => offsetOf(layout, name));
    /** @param {number} at @returns {number} */
    const whole = (at) => view.getInt32(at + 4, true) * 0x100000000 + view.getUint32(at, true);
    const tally = {
      wins: [0, 0, 0],
      reasons: /** @type {Record<string, number>} */ ({}),
      rounds: /** @type {Record<string, number>} */ ({}),
      hp_left: [0, 0],
      units_left: [0, 0],
      fault: /** @type {{ place: number, fault: number } | null} */ (null),
    };
    for (let at = 0, place = 0; at < results.length; at += size, place += 1) {
      const faulty = whole(at + fault);
      if (faulty !== 0) {
        tally.fault = { place, fault: faulty };
        break;
      }
      const [why, when] = [whole(at + reason), whole(at + rounds)];
      tally.wins[whole(at + winner)] += 1;
      tally.reasons[why] = (tally.reasons[why] ?? 0) + 1;
      tally.rounds[when] = (tally.rounds[when] ?? 0) + 1;
      for (const side of [0, 1]) {
        tally.hp_left[side] += whole(at + hp + 8 * side);
        tally.units_left[side] += whole(at + units + 8 * side);
      }
    }
    return tally;
  };

  /**
   * Go through a battle again and play it on from each of its rounds with other dice, a few times from all, then more.
   *
   * @param {Machine} machine
   * @param {any} asked See `Rules.course`.
   * @param {(round: any) => void} send
   */
  const follow = (machine, { stream, ticks, setUp, part, keys, passes }, send) => {
    const { layout } = machine;
    const { place_length: length, from_set_up: setUpCode, from_round: roundCode } = layout.resume;
    /** @param {number} code @param {number} second @param {number} last */
    const placeOf = (code, second, last) => {
      const place = Array.from({ length }, () => 0);
      [place[0], place[1], place[length - 1]] = [code, second, last];
      return place;
    };
    const { begun } = machine;
    const names = ["winner", "reason", "blocks_drawn", "fault"];
    const [winner, reason, drawn, fault] = names.map((name) => offsetOf(layout, name));
    const size = layout.result.size;
    let from = 0;
    for (const upTo of passes) {
      let [kept, place] = [begun, placeOf(setUpCode, setUpCode, 0)];
      for (const tick of ticks) {
        if (!(setUp && tick === 0)) {
          machine.turn(keys[0]);
          const asked = [...place.slice(0, -1), tick + 1];
          const reached = machine.resume(kept, asked, stream, 1);
          // No round begins at this tick: the battle went on to its end.
          if (new DataView(reached.buffer, reached.byteOffset).getInt32(reason, true) !== 0) continue;
          [kept, place] = [machine.kept(), placeOf(roundCode, part > 0 && tick % part === 0 ? -1 : 0, 0)];
        }
        machine.turn(keys[1]);
        const found = { tick, first: from, count: 0, halves: 0, squares: 0, isCertain: false };
        for (let at = from; at < upTo; ) {
          const count = at === 0 ? 1 : Math.min(upTo - at, machine.capacity);
          const results = machine.resume(kept, place, at, count);
          const view = new DataView(results.buffer, results.byteOffset, results.byteLength);
          for (let row = 0; row < results.length; row += size) {
            if (view.getInt32(row + fault, true) !== 0) throw new Error("a battle from a round ran into a limit");
            const score = [1, 2, 0][view.getInt32(row + winner, true)];
            found.halves += score;
            found.squares += score * score;
          }
          found.count += count;
          at += count;
          if (at === 1 && view.getInt32(drawn, true) === 0) {
            found.isCertain = true;
            break;
          }
        }
        send(found);
      }
      from = upTo;
    }
  };

  /**
   * Play a battle on from a moment: as it went, to a round or its end; or with other dice, to count how it ends.
   *
   * @param {Machine} machine
   * @param {any} asked See `Rollouts`.
   * @returns {any}
   */
  const playOn = (machine, { kept, place, key, first, end, until }) => {
    const { layout, capacity } = machine;
    const size = layout.result.size;
    machine.turn(key);
    const from = kept ?? machine.begun;
    if (until !== undefined) {
      machine.resume(from, [...place.slice(0, -1), until], first, 1);
      return machine.kept();
    }
    const [winner, drawn, fault] = ["winner", "blocks_drawn", "fault"].map((name) => offsetOf(layout, name));
    const scores = new Uint8Array(end - first);
    for (let at = first; at < end; ) {
      const count = at === first ? 1 : Math.min(end - at, capacity);
      const results = machine.resume(from, place, at, count);
      const view = new DataView(results.buffer, results.byteOffset, results.byteLength);
      for (let row = 0; row < results.length; row += size) {
        if (view.getInt32(row + fault, true) !== 0) throw new Error("a battle from a decision ran into a limit");
        scores[at - first + row / size] = [1, 2, 0][view.getInt32(row + winner, true)];
      }
      if (at === first && view.getInt32(drawn, true) === 0) return { scores: scores.fill(scores[0]), isCertain: true };
      at += count;
    }
    return { scores, isCertain: false };
  };

  /**
   * Play what is asked for in messages: `setup`, then `chunk`, `course`, `moment` or `stream` any number of times.
   *
   * @param {(listener: (message: any) => void) => void} listen
   * @param {(message: any, transfer?: any[]) => void} send
   */
  const serve = (listen, send) => {
    /** @type {Machine | null} */
    let machine = null;
    listen((message) => {
      try {
        if (message.setup) {
          const { module, layout, record, how } = message.setup;
          machine = new Machine(module, layout, record, how);
          send({ ready: true });
        } else if (message.end) {
          machine = null;
        } else if (machine !== null && message.chunk) {
          const { at, stream, count, rows } = message.chunk;
          const started = performance.now();
          const results = machine.simulate(stream, count);
          const tally = tallyOf(machine.layout, results);
          const kept = rows ? results.slice() : null;
          send({ at, count, tally, kept, ms: performance.now() - started }, kept === null ? [] : [kept.buffer]);
        } else if (machine !== null && message.moment) {
          send({ answer: playOn(machine, message.moment) });
        } else if (machine !== null && message.course) {
          follow(machine, message.course, (round) => send({ round }));
          send({ done: true });
        } else if (machine !== null) {
          const { result, rows, used } = machine.play(message.stream, message.decisions);
          send({ result, rows, used }, [result.buffer, rows.buffer]);
        }
      } catch (error) {
        machine = null;
        send({ trap: String(/** @type {any} */ (error)?.message ?? error) });
      }
    });
  };

  return { Machine, tallyOf, serve, FIRST_CHUNK };
}

const { Machine, tallyOf, FIRST_CHUNK } = machinery();

// ---------------------------------------------------------------------------------------------------------------------
// Workers

/** @returns {any} Node's own module of a name, or null elsewhere. @param {string} name */
function nodeModule(name) {
  return /** @type {any} */ (globalThis).process?.getBuiltinModule?.(`node:${name}`) ?? null;
}

/** @returns {number} How many workers play unless you say otherwise. */
function coreCount() {
  return globalThis.navigator?.hardwareConcurrency ?? nodeModule("os")?.availableParallelism() ?? 1;
}

/** @type {string | null} */
let workerAddress = null;

/** The same worker in browsers (made from a Blob, because a page on disk may not name a file) and in Node. */
class Thread {
  constructor() {
    /** @type {(message: any) => void} */
    this.onMessage = () => {};
    /** @type {(error: Error) => void} */
    this.onError = () => {};
    const program = `(${machinery})().serve`;
    if (typeof Worker === "function") {
      const text = `${program}((f) => { self.onmessage = (e) => f(e.data); }, (m, t) => self.postMessage(m, t));`;
      workerAddress ??= URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      const worker = new Worker(workerAddress);
      worker.onmessage = (event) => this.onMessage(event.data);
      worker.onerror = (event) => this.onError(new Error(event.message || "a worker could not be started"));
      this.worker = /** @type {any} */ (worker);
    } else {
      const workers = nodeModule("worker_threads");
      if (workers === null) throw new FracasError("input", "there are no workers here; play with { workers: 0 }");
      const port = 'require("node:worker_threads").parentPort';
      const text = `const port = ${port}; ${program}((f) => port.on("message", f), (m, t) => port.postMessage(m, t));`;
      this.worker = new workers.Worker(text, { eval: true });
      this.worker.on("message", (/** @type {any} */ message) => this.onMessage(message));
      this.worker.on("error", (/** @type {Error} */ error) => this.onError(error));
    }
  }

  /** @param {any} message */
  post(message) {
    this.worker.postMessage(message);
  }

  /** End it at once, whatever it does. */
  terminate() {
    this.onMessage = this.onError = () => {};
    this.worker.terminate();
  }

  /** Whether Node stays alive for it. @param {boolean} busy */
  hold(busy) {
    if (busy) this.worker.ref?.();
    else this.worker.unref?.();
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Numbers of records, by name

const utf8 = new TextEncoder();

const WIDTHS = { i8: 8, f8: 8, u4: 4, i4: 4, u1: 1, record: 0 };
const RANGES = {
  i8: [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  u4: [0, 0xffffffff],
  i4: [-0x80000000, 0x7fffffff],
  u1: [0, 0xff],
};

/** @param {DataView} view @param {number} at @param {Kind} kind @returns {number} */
function readNumber(view, at, kind) {
  if (kind === "i8") return Number(view.getBigInt64(at, true));
  if (kind === "f8") return view.getFloat64(at, true);
  if (kind === "u4") return view.getUint32(at, true);
  return kind === "i4" ? view.getInt32(at, true) : view.getUint8(at);
}

/** @param {DataView} view @param {number} at @param {Kind} kind @param {number} value */
function writeNumber(view, at, kind, value) {
  if (kind === "i8") view.setBigInt64(at, BigInt(value), true);
  else if (kind === "f8") view.setFloat64(at, value, true);
  else if (kind === "u4") view.setUint32(at, value, true);
  else if (kind === "i4") view.setInt32(at, value, true);
  else view.setUint8(at, value);
}

/** @param {readonly number[]} shape @returns {number} How many values an array has. */
const lengthOf = (shape) => shape.reduce((product, each) => product * each, 1);

/** @param {Field} field @returns {number} Bytes of one of its values. */
const widthOf = (field) => (field.kind === "record" ? (field.size ?? 0) : WIDTHS[field.kind]);

/**
 * Every value of a field, nested as its shape is.
 *
 * @param {DataView} view
 * @param {number} at
 * @param {Field} field
 * @param {readonly number[]} shape
 * @returns {any}
 */
function readValues(view, at, field, shape) {
  if (shape.length === 0) {
    if (field.kind !== "record") return readNumber(view, at, field.kind);
    const inner = field.fields ?? [];
    return Object.fromEntries(inner.map((each) => [each.name, readValues(view, at + each.offset, each, each.shape)]));
  }
  const step = lengthOf(shape.slice(1)) * widthOf(field);
  return Array.from({ length: shape[0] }, (_, place) => readValues(view, at + place * step, field, shape.slice(1)));
}

/** The key of the dice of a seed text. @param {string} seed @returns {Uint8Array} */
const keyOf = (seed) => blake3(utf8.encode(seed));

/** A compiled battle as bytes, whose values can be read and changed by name: `units.0.attack`. */
export class BattleRecord {
  /**
   * @param {Uint8Array} bytes They are copied.
   * @param {Layout} layout
   * @param {Books} [books] Names for telling its events; those of the bundle.
   */
  constructor(bytes, layout, books = {}) {
    if (!(bytes instanceof Uint8Array) || bytes.length !== layout.record.size) {
      const size = layout.record.size.toLocaleString("en");
      throw new FracasError("input", `this is not a record of ${layout.ruleset}, which has ${size} bytes`);
    }
    this.bytes = bytes.slice();
    this.layout = layout;
    this.books = books;
    /** Whether a value was changed, so that what follows from it has to be derived again. */
    this.isEdited = false;
  }

  /** @returns {BattleRecord} A copy that can be changed by itself. */
  copy() {
    const copied = new BattleRecord(this.bytes, this.layout, this.books);
    copied.isEdited = this.isEdited;
    return copied;
  }

  /**
   * @param {string} path Names and places from 0, with full stops between them: `units.0.attack`, `cells.3.1`, `units`.
   * @returns {any} A number; of an array an array, of a nested record an object.
   */
  get(path) {
    const { at, field, shape } = this._find(path);
    return readValues(new DataView(this.bytes.buffer), at, field, shape);
  }

  /**
   * Change one number. What the rules derive from it is worked out before the next battle.
   *
   * @param {string} path
   * @param {number} value
   * @returns {this}
   */
  set(path, value) {
    const { at, field, shape } = this._find(path);
    const kind = field.kind;
    if (kind === "record" || shape.length > 0) {
      const more = shape.length === 0 ? "a name" : "a place";
      throw new FracasError("input", `${path} is not one number: go on with ${more}`);
    }
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new FracasError("input", `${path} must be a number, not ${String(value)}`);
    }
    if (kind !== "f8") {
      const [least, most] = RANGES[kind];
      if (!Number.isInteger(value) || value < least || value > most) {
        throw new FracasError("input", `${path} must be a whole number from ${least} to ${most}, not ${value}`);
      }
    }
    writeNumber(new DataView(this.bytes.buffer), at, kind, value);
    this.isEdited = true;
    return this;
  }

  /**
   * Put what a part of a record is in the place of another part of its kind: a unit's numbers in another unit's place.
   *
   * @param {string} path
   * @param {BattleRecord} from A record of the same rules.
   * @param {string} model The part that is copied.
   * @param {readonly string[]} [kept] Fields of the part that stay as they are.
   * @returns {this}
   */
  put(path, from, model, kept = []) {
    const [to, source] = [this._find(path), from._find(model)];
    const isAlike = to.field.kind === source.field.kind && this._size(to) === from._size(source);
    if (!isAlike || from.layout.layout_key !== this.layout.layout_key) {
      throw new FracasError("input", `${model} cannot stand in the place of ${path}`);
    }
    const whole = [{ ...to.field, name: "", offset: 0, shape: to.shape }];
    const parts = to.shape.length === 0 && to.field.fields ? to.field.fields : whole;
    for (const each of parts.filter(({ name }) => !kept.includes(name))) {
      const first = source.at + each.offset;
      this.bytes.set(from.bytes.subarray(first, first + lengthOf(each.shape) * widthOf(each)), to.at + each.offset);
    }
    this.isEdited = true;
    return this;
  }

  /** @param {{ field: Field, shape: readonly number[] }} part @returns {number} Its bytes. @internal */
  _size({ field, shape }) {
    return lengthOf(shape) * widthOf(field);
  }

  /** Give the battle the dice of another seed text. @param {string} seed @returns {this} */
  setSeed(seed) {
    const key = new DataView(keyOf(seed).buffer);
    for (let place = 0; place < 8; place += 1) this.set(`dice.key.${place}`, key.getUint32(4 * place, true));
    return this;
  }

  /**
   * @param {string} path
   * @returns {{ at: number, field: Field, shape: number[] }}
   * @internal
   */
  _find(path) {
    /** @type {Field} */
    let field = { name: "", offset: 0, shape: [], kind: "record", fields: this.layout.record.fields };
    let [at, shape] = [0, /** @type {number[]} */ ([])];
    for (const part of path === "" ? [] : path.split(".")) {
      if (shape.length > 0) {
        const place = /^\d+$/.test(part) ? Number(part) : -1;
        if (place < 0 || place >= shape[0]) {
          throw new FracasError("input", `${path}: "${part}" is not a place; ${field.name} has 0 to ${shape[0] - 1}`);
        }
        shape = shape.slice(1);
        at += place * lengthOf(shape) * widthOf(field);
      } else {
        const inner = field.fields?.find((each) => each.name === part);
        if (inner === undefined) {
          const names = (field.fields ?? []).map((each) => each.name).join(", ") || "nothing";
          throw new FracasError("input", `${path}: there is no "${part}"; there is ${names}`);
        }
        [field, shape] = [inner, inner.shape];
        at += inner.offset;
      }
    }
    return { at, field, shape };
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Telling: digests, results and events

/** @param {Uint8Array} bytes @returns {string} Two hex digits for each byte. */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Uint8Array} bytes @returns {string} blake3 as 64 hex digits. */
export function digestOf(bytes) {
  return hex(blake3(bytes));
}

/**
 * The digest of a text under a context: what promises and seals of duels are made with.
 *
 * @param {string} context
 * @param {string} text
 * @returns {string} 64 hex digits.
 */
export function digestUnder(context, text) {
  return hex(blake3(utf8.encode(text), { context: utf8.encode(context) }));
}

/**
 * For each tick, in the order in which they come, the digest of its rows alone.
 *
 * @param {Uint8Array} rows
 * @returns {[number, string][]}
 */
function tickDigestsOf(rows) {
  /** @type {Map<number, Uint8Array[]>} */
  const parts = new Map();
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  for (let at = 0; at < rows.length; at += 32) {
    const tick = view.getInt32(at, true);
    const found = parts.get(tick);
    if (found === undefined) parts.set(tick, [rows.subarray(at, at + 32)]);
    else found.push(rows.subarray(at, at + 32));
  }
  return [...parts].map(([tick, found]) => {
    const joined = new Uint8Array(32 * found.length);
    found.forEach((row, place) => joined.set(row, 32 * place));
    return [tick, digestOf(joined)];
  });
}

/** @param {Uint8Array} bytes @param {Layout} layout @returns {Result} */
function resultOf(bytes, layout) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = layout.result.fields.map((field) => [field.name, readValues(view, field.offset, field, field.shape)]);
  const result = Object.fromEntries(fields);
  return { ...result, reason: layout.reasons[result.reason] ?? String(result.reason) };
}

/** @param {Uint8Array} rows @returns {Int32Array} */
function numbersOf(rows) {
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  return Int32Array.from({ length: rows.length / 4 }, (_, place) => view.getInt32(4 * place, true));
}

const doubles = new DataView(new ArrayBuffer(8));

/** @param {Int32Array} rows @param {number} start @param {EventField} field @param {Books} books @returns {any} */
function eventValue(rows, start, field, books) {
  const value = rows[start + field.column];
  if (field.form === "flag") return value !== 0;
  if (field.form === "word") return ((rows[start + field.column + 1] << 16) | value) >>> 0;
  if (field.form === "double") {
    doubles.setInt32(0, value, true);
    doubles.setInt32(4, rows[start + field.column + 1], true);
    return doubles.getFloat64(0, true);
  }
  if (field.form === "number") return value;
  if (value === -1 && field.none) return null;
  return books[field.book ?? ""]?.[value] ?? value;
}

/**
 * Event rows as objects with names: what `fracas run --format json` calls `events`.
 *
 * @param {Int32Array} rows
 * @param {Layout} layout
 * @param {Books} [books] Names that belong to the battle; a number that no book explains stays a number.
 * @returns {BattleEvent[]}
 */
export function tellEvents(rows, layout, books = {}) {
  const kinds = new Map(layout.events.map((event) => [event.kind, event]));
  const known = { ...layout.books, ...books };
  const events = [];
  for (let start = 0; start < rows.length; start += 8) {
    const kind = kinds.get(rows[start + 1]);
    if (kind === undefined) throw new FracasError("input", `there is no event of the kind ${rows[start + 1]}`);
    const values = kind.fields.map((field) => [field.name, eventValue(rows, start, field, known)]);
    events.push({ tick: rows[start], kind: kind.name, ...Object.fromEntries(values) });
  }
  return events;
}

const Z = 1.9599639845400536;

/**
 * The 95 % Wilson score interval of a share.
 *
 * @param {number} successes
 * @param {number} trials
 * @returns {[number, number]} As shares from 0 to 1; 0 to 1 without trials.
 */
export function wilsonInterval(successes, trials) {
  if (trials === 0) return [0, 1];
  const share = successes / trials;
  const widened = 1 + (Z * Z) / trials;
  const centre = (share + (Z * Z) / (2 * trials)) / widened;
  const reach = (Z / widened) * Math.sqrt((share * (1 - share)) / trials + (Z * Z) / (4 * trials * trials));
  const low = successes === 0 ? 0 : Math.max(0, centre - reach);
  return [low, successes === trials ? 1 : Math.min(1, centre + reach)];
}

/** What came of many battles. The same battles give the same answer, on any number of workers. */
export class Results {
  /** @param {Layout} layout @param {bigint} first @param {number} count @param {boolean} keeps */
  constructor(layout, first, count, keeps) {
    this.layout = layout;
    /** Number of the first battle. */
    this.first = first;
    /** How many battles. */
    this.count = count;
    /** Draws, wins of side 1 and wins of side 2. */
    this.wins = [0, 0, 0];
    /** How many ended in each way. @type {Record<string, number>} */
    this.reasons = {};
    /** How many ended in each round. @type {Map<number, number>} */
    this.rounds = new Map();
    /** HP that each side had left, of all battles together. */
    this.hpLeft = [0, 0];
    /** Units that each side had left, of all battles together. */
    this.unitsLeft = [0, 0];
    /** The result of every battle as bytes, if you asked for rows. @type {Uint8Array | null} */
    this.bytes = keeps ? new Uint8Array(count * layout.result.size) : null;
  }

  /** The share of battles that a side won. @param {1 | 2} side @returns {number} */
  share(side) {
    return this.wins[side] / this.count;
  }

  /** The 95 % interval of that share. @param {1 | 2} side @returns {[number, number]} */
  interval(side) {
    return wilsonInterval(this.wins[side], this.count);
  }

  /** One battle's result; only if you asked for rows. @param {number} place From 0. @returns {Result} */
  at(place) {
    if (this.bytes === null) throw new FracasError("input", "no rows were kept; ask for { rows: true }");
    if (!Number.isInteger(place) || place < 0 || place >= this.count) {
      throw new FracasError("input", `there is no battle ${place}; there are 0 to ${this.count - 1}`);
    }
    const size = this.layout.result.size;
    return resultOf(this.bytes.subarray(place * size, (place + 1) * size), this.layout);
  }

  /**
   * One field of every battle's result; only if you asked for rows.
   *
   * @param {string} name A field, such as `rounds`; of an array with the place: `hp_left.0`.
   * @returns {Float64Array}
   */
  column(name) {
    if (this.bytes === null) throw new FracasError("input", "no rows were kept; ask for { rows: true }");
    const [head, place = "0"] = name.split(".");
    const field = this.layout.result.fields.find((each) => each.name === head);
    if (field === undefined || !(Number(place) < lengthOf(field.shape))) {
      const names = this.layout.result.fields.map((each) => each.name).join(", ");
      throw new FracasError("input", `a result has no "${name}"; there is ${names}`);
    }
    const view = new DataView(this.bytes.buffer);
    const at = field.offset + Number(place) * WIDTHS[field.kind];
    return Float64Array.from({ length: this.count }, (_, row) =>
      readNumber(view, row * this.layout.result.size + at, field.kind),
    );
  }

  /** @param {any} tally @param {number} at @param {Uint8Array | null} kept @internal */
  _add(tally, at, kept) {
    tally.wins.forEach((/** @type {number} */ each, /** @type {number} */ place) => (this.wins[place] += each));
    for (const [code, each] of Object.entries(tally.reasons)) {
      const name = this.layout.reasons[Number(code)] ?? code;
      this.reasons[name] = (this.reasons[name] ?? 0) + each;
    }
    for (const [round, each] of Object.entries(tally.rounds)) {
      this.rounds.set(Number(round), (this.rounds.get(Number(round)) ?? 0) + each);
    }
    for (const side of [0, 1]) {
      this.hpLeft[side] += tally.hp_left[side];
      this.unitsLeft[side] += tally.units_left[side];
    }
    if (kept !== null) this.bytes?.set(kept, at * this.layout.result.size);
  }

  /** Put what came in any order into one. @returns {this} @internal */
  _sorted() {
    const names = this.layout.reasons.filter((name) => this.reasons[name] !== undefined);
    this.reasons = Object.fromEntries(names.map((name) => [name, this.reasons[name]]));
    this.rounds = new Map([...this.rounds].sort(([one], [other]) => one - other));
    return this;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Bundles

const BUNDLE_FORMAT = "fracas-bundle";
const BUNDLE_VERSION = 1;
const LARGEST_BUNDLE = 32 * 1024 * 1024;
const DEEPEST_BUNDLE = 64;
/**
 * The keys of every bundle, and what each holds.
 * @type {Record<Exclude<keyof Bundle, "game" | "decisions">, "string" | "number" | "object" | "list">}
 */
const BUNDLE_KEYS = {
  format: "string",
  format_version: "number",
  ruleset: "string",
  rules_version: "number",
  layout_key: "string",
  scenario: "object",
  profile: "string",
  seed: "string",
  stream: "string",
  sides: "list",
  books: "object",
  result: "object",
  event_count: "number",
  tick_digests: "list",
  digest: "string",
  record_digest: "string",
  record: "string",
  seal: "string",
};
/** The keys that only some bundles have: those of games, and of battles in which somebody chose. */
const FURTHER_KEYS = ["game", "decisions"];
const MOST_DECISIONS = 1 << 18;

/** Plain values as bytes that say the same in every language; docs/reference/bundle-format.md, "The seal". */
class Framing {
  constructor() {
    this.hash = blake3.create();
  }

  /** @param {string} mark @param {number} [length] */
  mark(mark, length) {
    const bytes = new Uint8Array(length === undefined ? 1 : 5);
    bytes[0] = mark.charCodeAt(0);
    if (length !== undefined) new DataView(bytes.buffer).setUint32(1, length, true);
    this.hash.update(bytes);
  }

  /** @param {string} text */
  text(text) {
    const [half] = /\p{Surrogate}/u.exec(text) ?? [];
    if (half !== undefined) {
      const escaped = `\\u${half.charCodeAt(0).toString(16)}`;
      refuse(`is not valid: ${escaped} is half of a surrogate pair, not a character`);
    }
    const bytes = utf8.encode(text);
    this.mark("s", bytes.length);
    this.hash.update(bytes);
  }

  /** @param {any} value @param {number} depth */
  add(value, depth = 0) {
    if (depth > DEEPEST_BUNDLE) refuse(`is nested more than ${DEEPEST_BUNDLE} deep`);
    if (value === null) this.mark("n");
    else if (typeof value === "boolean") this.mark(value ? "t" : "f");
    else if (typeof value === "string") this.text(value);
    else if (typeof value === "number") {
      const bytes = new Uint8Array(9);
      bytes[0] = "d".charCodeAt(0);
      // Adding zero makes one zero of the two.
      new DataView(bytes.buffer).setFloat64(1, value + 0, true);
      this.hash.update(bytes);
    } else if (Array.isArray(value)) {
      this.mark("a", value.length);
      for (const each of value) this.add(each, depth + 1);
    } else {
      const keys = Object.keys(value).sort(byCodePoint);
      this.mark("o", keys.length);
      for (const key of keys) {
        this.text(key);
        this.add(value[key], depth + 1);
      }
    }
  }
}

/** The order of UTF-8 bytes, which is that of code points. @param {string} one @param {string} other */
function byCodePoint(one, other) {
  const [left, right] = [[...one], [...other]];
  for (let place = 0; place < Math.min(left.length, right.length); place += 1) {
    if (left[place] !== right[place]) {
      return /** @type {number} */ (left[place].codePointAt(0)) - /** @type {number} */ (right[place].codePointAt(0));
    }
  }
  return left.length - right.length;
}

/** What a bundle's seal has to be. @param {Record<string, any>} bundle @returns {string} */
function sealOf(bundle) {
  const { seal: _seal, record: _record, ...sealed } = bundle;
  const framing = new Framing();
  framing.add(sealed);
  return hex(framing.hash.digest());
}

/** The bytes of a base64 text; null if it is not valid. @param {string} text @returns {Uint8Array | null} */
function fromBase64(text) {
  try {
    const raw = atob(text);
    return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * Unpack deflated bytes of a known size. Little goes in at a time, so that a hostile text cannot fill the memory.
 *
 * @param {Uint8Array} packed
 * @param {number} size
 * @returns {Promise<Uint8Array | null>} null if that is not what they are.
 */
async function inflate(packed, size) {
  if (packed.length > size + 1024) return null;
  const stream = new DecompressionStream("deflate");
  const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()];
  const feeding = (async () => {
    for (let at = 0; at < packed.length; at += 512) await writer.write(packed.slice(at, at + 512));
    await writer.close();
  })();
  const unpacked = new Uint8Array(size);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value.length > size) throw new RangeError("too long");
      unpacked.set(value, length);
      length += value.length;
    }
    await feeding;
  } catch {
    feeding.catch(() => {});
    await reader.cancel().catch(() => {});
    return null;
  }
  return length === size ? unpacked : null;
}

/**
 * Bytes that were deflated and written in base64.
 *
 * @param {string} text
 * @param {number} size How many bytes they are.
 * @returns {Promise<Uint8Array | null>} null if that is not what they are.
 */
export async function unpacked(text, size) {
  const packed = fromBase64(text);
  return packed === null ? null : inflate(packed, size);
}

/** A bundle that is whole and fits the rules: the battle's record and all there is to know about it. */
export class Packed {
  /** @param {Bundle} bundle @param {BattleRecord} record */
  constructor(bundle, record) {
    /** The bundle itself. */
    this.bundle = bundle;
    /** The battle, to be played or changed. */
    this.record = record;
    /** The resolved scenario document. */
    this.scenario = bundle.scenario;
    /** The number of the battle that was packed. */
    this.stream = BigInt(bundle.stream);
    /** The digest that it had then. */
    this.digest = bundle.digest;
    /** What was chosen in it; null where nobody chose. @type {Decisions | null} */
    this.decisions = bundle.decisions ?? null;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Rules

const MOST_BATTLES = 1e8;
const MOST_ROW_BYTES = 256 * 1024 * 1024;
const CHUNK_MS = 50;
const LARGEST_CHUNK = 1 << 16;
const CHUNK_BYTES = 4 * 1024 * 1024;
const LAST_STREAM = 2n ** 63n - 1n;
const VERIFY_MS = 30_000;

/** Workers that wait for more. @type {WeakMap<Rules, Thread[]>} */
const idleThreads = new WeakMap();

/** @param {Rules} rules @returns {Thread[]} */
const idleOf = (rules) => idleThreads.get(rules) ?? [];

/** A ruleset, ready to play. Made by `loadRules`. */
export class Rules {
  /** @param {WebAssembly.Module} module @param {Layout} layout */
  constructor(module, layout) {
    this.module = module;
    this.layout = layout;
    /** The ruleset's name. */
    this.ruleset = layout.ruleset;
    /** The version of its rules. */
    this.version = layout.rules_version;
    idleThreads.set(this, []);
  }

  /**
   * Check a bundle and unpack it. Nothing is played.
   *
   * @param {string | Uint8Array | Bundle} bundle What `fracas publish pack` wrote: text, bytes, or the parsed object.
   * @returns {Promise<Packed>}
   * @throws {FracasError} It is no bundle, damaged, of another ruleset or made by another version.
   */
  async open(bundle) {
    const sound = this._checked(bundle);
    const record = await unpacked(sound.record, this.layout.record.size);
    if (record === null || digestOf(record) !== sound.record_digest) {
      throw new FracasError("input", "the bundle's record is damaged or was edited");
    }
    return new Packed(sound, new BattleRecord(record, this.layout, sound.books));
  }

  /**
   * Play one battle on this thread, with its events.
   *
   * @param {BattleRecord | Uint8Array} record
   * @param {number | bigint} [stream] The battle's number under the record's seed.
   * @param {Decisions | null} [decisions] What is chosen in it. If they stop before its end, so does the battle: it is
   *   `undecided`.
   * @returns {Promise<Played>}
   * @throws {FracasError} The battle ran into a limit, or a decision is not legal.
   */
  async play(record, stream = 0, decisions = null) {
    const battle = this._record(record);
    const number = checkedStream(stream);
    const how = { edited: battle.isEdited, ...this._logged(decisions) };
    const make = () => new Machine(this.module, this.layout, battle.bytes, how);
    const played = this._guarded(() => make().play(number, decisions));
    if (decisions !== null && played.used < decisions.rows.length) {
      throw new FracasError("input", impossible(played.used));
    }
    return this._told(played, battle, number);
  }

  /**
   * Play many battles and count how they end.
   *
   * @param {BattleRecord | Uint8Array} record
   * @param {SimulateOptions} options
   * @returns {Promise<Results>} The same for any number of workers.
   * @throws {FracasError} A battle ran into a limit; or the signal's reason.
   */
  async simulate(record, { first = 0, count, onProgress, signal, workers = coreCount(), rows = false }) {
    const battle = this._record(record);
    const start = checkedStream(first);
    if (!Number.isInteger(count) || count < 1 || count > MOST_BATTLES) {
      throw new FracasError("input", `count must be a whole number from 1 to ${MOST_BATTLES}, not ${count}`);
    }
    if (!Number.isInteger(workers) || workers < 0) {
      throw new FracasError("input", `workers must be a whole number from 0 on, not ${workers}`);
    }
    checkedStream(start + BigInt(count) - 1n);
    if (rows && count * this.layout.result.size > MOST_ROW_BYTES) {
      const most = Math.floor(MOST_ROW_BYTES / this.layout.result.size).toLocaleString("en");
      throw new FracasError("input", `rows of ${this.ruleset} are kept for at most ${most} battles at a time`);
    }
    signal?.throwIfAborted();
    const run = new Run(this, battle, { start, count, rows, onProgress });
    if (workers === 0) return run.here(signal);
    return run.onWorkers(Math.min(workers, Math.ceil(count / FIRST_CHUNK)), signal);
  }

  /**
   * Play a bundle's battle again in a worker of its own, and compare.
   *
   * @param {string | Uint8Array | Bundle} bundle
   * @param {{ timeout?: number, workers?: 0 | 1, signal?: AbortSignal }} [options] `timeout` in milliseconds; `workers`
   *   0 plays on this thread, for bundles that you trust.
   * @returns {Promise<Verification>}
   * @throws {FracasError} As `open`; or the battle did not end in time.
   */
  async verify(bundle, { timeout = VERIFY_MS, workers = 1, signal } = {}) {
    const packed = await this.open(bundle);
    signal?.throwIfAborted();
    const { decisions, stream } = packed;
    const how = this._logged(decisions);
    const played = workers
      ? await this._alone(packed, how, timeout, signal)
      : this._guarded(() => new Machine(this.module, this.layout, packed.record.bytes, how).play(stream, decisions));
    const result = resultOf(played.result, this.layout);
    const digest = digestOf(played.rows);
    const stored = packed.bundle;
    const ticks = new Map(tickDigestsOf(played.rows));
    const tick = firstDifference(new Map(stored.tick_digests), ticks);
    if (tick !== null) {
      return { ok: false, tick, digest, message: `the stored digest of tick ${tick} differs` };
    }
    if (decisions !== null && played.used < decisions.rows.length) {
      return { ok: false, tick: null, digest, message: impossible(played.used) };
    }
    const differing = [
      ["the seed", hex(keysOf(packed)[0]) === hex(keyOf(stored.seed))],
      ["the digest", digest === stored.digest],
      ["the number of events", played.rows.length / 32 === stored.event_count],
      ["the winner", result.winner === stored.result.winner],
      ["the ending", result.reason === stored.result.reason],
      ["the number of rounds", result.rounds === stored.result.rounds],
    ].find(([, same]) => !same);
    if (differing !== undefined) return { ok: false, tick: null, digest, message: `${differing[0]} differs` };
    const events = stored.event_count.toLocaleString("en");
    return { ok: true, tick: null, digest, message: `verified, ${events} events, digest ${digest}` };
  }

  /**
   * Side 1's odds at the start of each round of a battle, as `fracas why` finds them: from there on
   * the battle is played many times with other dice. One worker plays; the first answers are coarse.
   *
   * @param {Packed} packed The battle.
   * @param {CourseOptions} options
   * @returns {Promise<RoundOdds[]>} In order of play.
   * @throws {FracasError} A battle ran into a limit; or the signal's reason.
   */
  async course(packed, { ticks, count = 1000, onRound, signal }) {
    signal?.throwIfAborted();
    refuseDecisions(packed);
    const { record, stream } = packed;
    const keys = keysOf(packed);
    const { setUp = false, part = 0 } = Object.hasOwn(WALKS, this.ruleset) ? WALKS[this.ruleset] : {};
    const course = { stream, ticks: [...ticks], setUp, part, keys, passes: [Math.min(count, FIRST_ROLLOUTS), count] };
    const thread = new Thread();
    /** @type {Map<number, RoundOdds>} */
    const found = new Map();
    /** @type {() => void} */
    let stop = () => {};
    return new Promise((/** @type {(rounds: RoundOdds[]) => void} */ resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener("abort", stop);
      thread.onError = (error) => reject(failedWorker(error));
      thread.onMessage = (message) => {
        if (message.trap) reject(trapped(message.trap));
        else if (message.ready) thread.post({ course });
        else if (message.done) resolve([...found.values()]);
        else {
          const round = joinedOdds(found.get(message.round.tick), message.round);
          found.set(round.tick, round);
          onRound?.(round);
        }
      };
      const how = { capacity: ROLLOUTS_AT_ONCE, onward: true };
      thread.post({ setup: { module: this.module, layout: this.layout, record: record.bytes, how } });
    }).finally(() => {
      signal?.removeEventListener("abort", stop);
      thread.terminate();
    });
  }

  /**
   * A battle to play on from moments of it, as `fracas why` does where somebody decides.
   *
   * @param {Packed} packed
   * @param {number} [workers]
   * @returns {Rollouts} Close it when you are done.
   */
  rollouts(packed, workers = coreCount()) {
    refuseDecisions(packed);
    return new Rollouts(this, packed, workers);
  }

  /** End the workers that wait for more. */
  close() {
    for (const thread of idleOf(this).splice(0)) thread.terminate();
  }

  /** @param {string | Uint8Array | Bundle} bundle @returns {Bundle} @internal */
  _checked(bundle) {
    const read = parsed(bundle);
    const { ruleset, layout_key: key, rules_version: version } = this.layout;
    if (read?.format !== BUNDLE_FORMAT) throw new FracasError("input", "this is not a Fracas bundle");
    if (read.format_version !== BUNDLE_VERSION) {
      const known = `this program reads version ${BUNDLE_VERSION}`;
      throw new FracasError("input", `the bundle has format version ${String(read.format_version)}; ${known}`);
    }
    refuseInvalid(read);
    if (sealOf(read) !== read.seal) refuse("is damaged or was edited: its seal does not match");
    if (read.ruleset !== ruleset) {
      refuse(`is a battle of ${read.ruleset}, but these are the rules of ${ruleset}`);
    }
    if (read.layout_key !== key || read.rules_version !== version) {
      const versions = `rules version ${read.rules_version}; loaded is ${version}`;
      const message = `the bundle was made by another version of Fracas (${versions}): pack its scenario again`;
      throw new FracasError("version", message, read.scenario);
    }
    return read;
  }

  /** @param {BattleRecord | Uint8Array} record @returns {BattleRecord} @internal */
  _record(record) {
    if (!(record instanceof BattleRecord)) return new BattleRecord(record, this.layout);
    if (record.layout.layout_key === this.layout.layout_key) return record;
    throw new FracasError("input", `the record is one of ${record.layout.ruleset}, or of another version of the rules`);
  }

  /**
   * How a machine plays a battle with its log.
   *
   * @param {Decisions | null} decisions
   * @throws {FracasError} They are none, or the module takes none.
   * @internal
   */
  _logged(decisions) {
    if (decisions === null) return { capacity: 1, logged: true };
    const wrong = faultIn(decisions);
    if (wrong !== "") throw new FracasError("input", `the decisions are not valid: ${wrong}`);
    if (!WebAssembly.Module.exports(this.module).some(({ name }) => name === "decide")) {
      throw new FracasError("input", `the module of ${this.ruleset} takes no decisions`);
    }
    return { capacity: 1, logged: true, decisions: decisions.rows.length };
  }

  /** @template T @param {() => T} act @returns {T} @internal */
  _guarded(act) {
    try {
      return act();
    } catch (error) {
      throw error instanceof FracasError ? error : trapped(/** @type {any} */ (error)?.message);
    }
  }

  /**
   * @param {{ result: Uint8Array, rows: Uint8Array }} played
   * @param {BattleRecord} battle
   * @param {bigint} stream
   * @internal
   */
  _told(played, battle, stream) {
    const { fault } = tallyOf(this.layout, played.result);
    if (fault !== null) throw new FracasError("fault", faultText(stream, fault.fault, this.layout));
    const rows = numbersOf(played.rows);
    return {
      events: tellEvents(rows, this.layout, battle.books),
      result: resultOf(played.result, this.layout),
      digest: digestOf(played.rows),
      rows,
    };
  }

  /**
   * Play one battle in a worker that nobody else uses, and end it.
   *
   * @param {Packed} packed
   * @param {any} how
   * @param {number} timeout
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ result: Uint8Array, rows: Uint8Array, used: number }>}
   * @internal
   */
  _alone(packed, how, timeout, signal) {
    const thread = new Thread();
    const late = new FracasError("timeout", `the battle did not end within ${timeout / 1000} s`);
    /** @type {() => void} */
    let stop = () => {};
    /** @type {any} */
    let timer;
    return new Promise((resolve, reject) => {
      stop = () => reject(signal?.reason);
      timer = setTimeout(() => reject(late), timeout);
      signal?.addEventListener("abort", stop);
      thread.onError = (error) => reject(failedWorker(error));
      thread.onMessage = (message) => {
        if (message.trap) reject(trapped(message.trap));
        else if (message.ready) thread.post({ stream: packed.stream, decisions: packed.decisions });
        else resolve(message);
      };
      thread.post({ setup: { module: this.module, layout: this.layout, record: packed.record.bytes, how } });
    }).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      thread.terminate();
    });
  }
}

/** Rollouts use the scenario's seed text with this appended (`lab/explain/rollouts.py`). */
const BRANCH = "/why";
const FIRST_ROLLOUTS = 64;
const ROLLOUTS_AT_ONCE = 256;
/**
 * Where rounds begin besides: before set-up, and at the encounters of a run.
 *
 * @type {Record<string, { setUp?: boolean, part?: number }>}
 */
const WALKS = { relics: { setUp: true }, delve: { part: 65536 } };

/**
 * The odds of a round after more rollouts.
 *
 * @param {RoundOdds | undefined} before
 * @param {any} more
 * @returns {RoundOdds}
 */
function joinedOdds(before, { tick, count, halves, isCertain }) {
  if (before?.isCertain) return before;
  const [plays, points] = [(before?.count ?? 0) + count, (before?.halves ?? 0) + halves];
  return { tick, odds: points / 2 / plays, count: plays, halves: points, isCertain };
}

/** The dice of a battle, and those of its rollouts. @param {Packed} packed @returns {Uint8Array[]} */
function keysOf({ record, bundle }) {
  return [record, record.copy().setSeed(bundle.seed + BRANCH)].map((each) => {
    const { at } = each._find("dice.key");
    return each.bytes.slice(at, at + 32);
  });
}

/**
 * A moment of a battle: a snapshot, null for the beginning, and the place to go on from.
 *
 * @typedef {{ kept: BigInt64Array<ArrayBuffer> | null, place: number[] }} Moment
 */

/** A battle that is played on from moments of it, on workers of its own. Made by `Rules.rollouts`. */
export class Rollouts {
  #own;
  #other;
  #stream;
  #workers;
  /** Jobs that no worker has begun. @type {any[]} */
  #waiting = [];
  /** @type {any[]} */
  #free = [];
  /** @type {Error | null} */
  #error = null;

  /** @param {Rules} rules @param {Packed} packed @param {number} workers */
  constructor(rules, packed, workers) {
    const [own, other] = keysOf(packed);
    this.#own = own;
    this.#other = other;
    this.#stream = packed.stream;
    const how = { capacity: ROLLOUTS_AT_ONCE, onward: true };
    const setup = { module: rules.module, layout: rules.layout, record: packed.record.bytes, how };
    this.#workers = Array.from({ length: workers }, () => this._begin(setup));
  }

  /** @param {any} setup @internal */
  _begin(setup) {
    const worker = { thread: new Thread(), job: /** @type {any} */ (null) };
    worker.thread.onError = (error) => this._fail(failedWorker(error));
    worker.thread.onMessage = (message) => {
      if (message.trap) {
        this._fail(trapped(message.trap));
        return;
      }
      worker.job?.resolve(message.answer);
      worker.job = null;
      this.#free.push(worker);
      this._give();
    };
    worker.thread.post({ setup });
    return worker;
  }

  /** @internal */
  _give() {
    while (this.#free.length > 0 && this.#waiting.length > 0) {
      const worker = this.#free.pop();
      worker.job = this.#waiting.shift();
      worker.thread.post({ moment: worker.job.moment });
    }
  }

  /** @param {any} moment @returns {Promise<any>} @internal */
  _ask(moment) {
    if (this.#error !== null) return Promise.reject(this.#error);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ moment, resolve, reject });
      this._give();
    });
  }

  /** @param {Error} error @internal */
  _fail(error) {
    this.#error = error;
    for (const job of [...this.#waiting, ...this.#workers.map((worker) => worker.job)]) job?.reject(error);
    this.close();
  }

  /**
   * How the battle ends from a moment, with the dice of rollouts first to end - 1.
   *
   * @param {Moment} moment
   * @param {number} first
   * @param {number} end
   * @returns {Promise<{ scores: Uint8Array, isCertain: boolean }>} Side 1's scores, in half points.
   */
  scores(moment, first, end) {
    return this._ask({ ...moment, key: this.#other, first, end });
  }

  /**
   * The battle as it goes from a moment with its own dice.
   *
   * @param {Moment} moment
   * @param {number | null} tick It stops before this round; null plays to the end.
   * @returns {Promise<BigInt64Array>} What play changed in the record.
   */
  reached(moment, tick) {
    return this._ask({ ...moment, key: this.#own, first: this.#stream, until: tick === null ? 0 : tick + 1 });
  }

  /** End its workers. */
  close() {
    for (const { thread } of this.#workers) thread.terminate();
    this.#waiting = [];
  }
}

/** One call of `simulate`: which battles are given out, and what has come back. */
class Run {
  /**
   * @param {Rules} rules
   * @param {BattleRecord} battle
   * @param {{ start: bigint, count: number, rows: boolean, onProgress?: (progress: Progress) => void }} asked
   */
  constructor(rules, battle, { start, count, rows, onProgress }) {
    const { layout } = rules;
    this.rules = rules;
    this.start = start;
    this.count = count;
    this.rows = rows;
    this.onProgress = onProgress;
    this.results = new Results(layout, start, count, rows);
    this.given = 0;
    this.done = 0;
    // Battles in a millisecond, as the last chunk went.
    this.pace = FIRST_CHUNK / CHUNK_MS;
    this.capacity = Math.max(1, Math.min(LARGEST_CHUNK, count, Math.floor(CHUNK_BYTES / layout.result.size)));
    const how = { edited: battle.isEdited, capacity: this.capacity };
    this.setup = { module: rules.module, layout, record: battle.bytes, how };
  }

  /** @returns {{ at: number, stream: bigint, count: number, rows: boolean } | null} What to play next. */
  next() {
    const left = this.count - this.given;
    if (left === 0) return null;
    const count = Math.max(1, Math.min(left, this.capacity, Math.round(this.pace * CHUNK_MS)));
    const chunk = { at: this.given, stream: this.start + BigInt(this.given), count, rows: this.rows };
    this.given += count;
    return chunk;
  }

  /** @param {{ at: number, count: number, tally: any, kept: Uint8Array | null, ms: number }} played */
  take({ at, count, tally, kept, ms }) {
    if (tally.fault !== null) {
      const number = this.start + BigInt(at + tally.fault.place);
      throw new FracasError("fault", faultText(number, tally.fault.fault, this.rules.layout));
    }
    this.pace = count / Math.max(ms, 0.1);
    this.done += count;
    this.results._add(tally, at, kept);
    this.onProgress?.({ done: this.done, count: this.count, wins: [...this.results.wins] });
  }

  /** @param {AbortSignal} [signal] @returns {Promise<Results>} */
  async here(signal) {
    const { module, layout, record, how } = this.setup;
    const machine = this.rules._guarded(() => new Machine(module, layout, record, how));
    for (let chunk = this.next(); chunk !== null; chunk = this.next()) {
      const { at, stream, count } = chunk;
      const started = performance.now();
      const results = this.rules._guarded(() => machine.simulate(stream, count));
      const kept = this.rows ? results.slice() : null;
      this.take({ at, count, tally: tallyOf(layout, results), kept, ms: performance.now() - started });
      // Whatever else waits for this thread has its turn.
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
    }
    return this.results._sorted();
  }

  /** @param {number} workers @param {AbortSignal} [signal] @returns {Promise<Results>} */
  onWorkers(workers, signal) {
    const idle = idleOf(this.rules);
    const threads = idle.splice(0, workers);
    try {
      while (threads.length < workers) threads.push(new Thread());
    } catch (error) {
      for (const thread of threads) thread.terminate();
      throw error;
    }
    /** @type {() => void} */
    let stop = () => {};
    const played = new Promise((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener("abort", stop);
      for (const thread of threads) {
        thread.hold(true);
        thread.onError = (error) => reject(failedWorker(error));
        thread.onMessage = (message) => {
          try {
            if (message.trap) throw trapped(message.trap);
            if (!message.ready) this.take(message);
            const chunk = this.next();
            if (chunk !== null) thread.post({ chunk });
            else if (this.done === this.count) resolve(undefined);
          } catch (error) {
            reject(error);
          }
        };
        thread.post({ setup: this.setup });
      }
    });
    return played
      .then(
        () => {
          for (const thread of threads) {
            thread.onMessage = () => {};
            thread.post({ end: true });
            thread.hold(false);
          }
          idle.push(...threads);
          return this.results._sorted();
        },
        (error) => {
          for (const thread of threads) thread.terminate();
          throw error;
        },
      )
      .finally(() => signal?.removeEventListener("abort", stop));
  }
}

/** @param {number | bigint} stream @returns {bigint} */
function checkedStream(stream) {
  const isWhole = typeof stream === "bigint" || Number.isSafeInteger(stream);
  const number = isWhole ? BigInt(stream) : -1n;
  if (number >= 0n && number <= LAST_STREAM) return number;
  const advice = "a whole number from 0 to 2^63 - 1, beyond 2^53 - 1 as a BigInt";
  throw new FracasError("input", `a battle's number must be ${advice}, not ${String(stream)}`);
}

/** @param {bigint} stream @param {number} fault @param {Layout} layout @returns {string} */
function faultText(stream, fault, { faults, log }) {
  const kind = fault & faults.log;
  if (kind === faults.log_full) {
    return `battle ${stream} has more than the ${log.capacity.toLocaleString("en")} events that a log holds`;
  }
  if (kind !== 0) return `battle ${stream}: an event contains a number that does not fit in 32 bits`;
  return `battle ${stream}: a dice address has no rolls left`;
}

/** @param {unknown} reason @returns {FracasError} */
function trapped(reason) {
  const message = `the rules stopped in the middle of a battle (${String(reason)}): the record is not valid`;
  return new FracasError("trap", message);
}

/** @param {Error} error @returns {FracasError} */
function failedWorker(error) {
  const advice = "play with { workers: 0 }, or allow workers from a Blob";
  return new FracasError("trap", `a worker failed (${error.message}): ${advice}`);
}

/**
 * The first tick, in the order in which the battle came to them, whose digests differ.
 *
 * @param {Map<number, string>} stored
 * @param {Map<number, string>} played
 * @returns {number | null}
 */
function firstDifference(stored, played) {
  const ticks = [...played.keys(), ...stored.keys()];
  return ticks.find((tick) => stored.get(tick) !== played.get(tick)) ?? null;
}

/** @param {string | Uint8Array | Bundle} bundle @returns {any} */
function parsed(bundle) {
  const text = bundle instanceof Uint8Array ? new TextDecoder().decode(bundle) : bundle;
  if (typeof text !== "string") return text;
  if (text.length > LARGEST_BUNDLE) {
    const most = LARGEST_BUNDLE.toLocaleString("en");
    refuse(`is larger than ${most} characters, the limit for bundles`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    return refuse(`is invalid JSON: ${reason}`);
  }
}

/** @param {any} value @returns {"string" | "number" | "object" | "list" | "other"} */
function kindOf(value) {
  if (Array.isArray(value)) return "list";
  if (value === null) return "other";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "object" ? kind : "other";
}

/** @param {string} what @returns {never} */
function refuse(what) {
  throw new FracasError("input", `the bundle ${what}`);
}

/** How messages name the kinds of values. */
const KIND_NAMES = { string: "a string", number: "a number", object: "an object", list: "a list" };

/** Refuse a bundle that lacks a key, has an unknown one, or a value of another kind. @param {any} bundle */
function refuseInvalid(bundle) {
  for (const [key, kind] of Object.entries(BUNDLE_KEYS)) {
    if (!Object.hasOwn(bundle, key)) refuse(`is not valid: it has no "${key}"`);
    if (kindOf(bundle[key]) !== kind) refuse(`is not valid: "${key}" is not ${KIND_NAMES[kind]}`);
  }
  const strange = Object.keys(bundle).find((key) => !Object.hasOwn(BUNDLE_KEYS, key) && !FURTHER_KEYS.includes(key));
  if (strange !== undefined) refuse(`is not valid: it has the unknown key "${strange}"`);
  const hasGame = Object.hasOwn(bundle, "game");
  if (hasGame && kindOf(bundle.game) !== "object") refuse('is not valid: "game" is not an object');
  const wrong = Object.hasOwn(bundle, "decisions") ? faultIn(bundle.decisions) : "";
  if (wrong !== "") refuse(`is not valid: its decisions: ${wrong}`);
  const isPair = (/** @type {any} */ each) => kindOf(each) === "list" && typeof each[0] === "number";
  if (!bundle.tick_digests.every(isPair)) refuse('is not valid: "tick_digests" is not a list of pairs');
  if (!/^\d{1,19}$/.test(bundle.stream)) refuse('is not valid: "stream" is not the number of a battle');
  if (BigInt(bundle.stream) > LAST_STREAM) refuse(`has the stream ${bundle.stream}, which is out of range`);
}

/** What is wrong with decisions; nothing if they can be tried. @param {any} decisions @returns {string} */
function faultIn(decisions) {
  const { sides, rows } = kindOf(decisions) === "object" ? decisions : {};
  if (kindOf(sides) !== "list" || kindOf(rows) !== "list") return "they have no sides and rows";
  const areSides = sides.length > 0 && sides.every((/** @type {any} */ each) => each === 1 || each === 2);
  if (!areSides || new Set(sides).size < sides.length) return '"sides" is not a list of 1 and 2';
  if (rows.length > MOST_DECISIONS) return `there are more than ${MOST_DECISIONS.toLocaleString("en")}`;
  const isWhole = (/** @type {any} */ each) => Number.isInteger(each) && Math.abs(each) < 2 ** 31;
  const isRow = (/** @type {any} */ row) => kindOf(row) === "list" && row.length === 4 && row.every(isWhole);
  const place = rows.findIndex((/** @type {any} */ row) => !isRow(row) || !sides.includes(row[0]));
  return place < 0 ? "" : `row ${place} is not a side, an actor, a choice and a target`;
}

/** @param {number} used @returns {string} */
const impossible = (used) => `decision ${(used + 1).toLocaleString("en")} is not one that could be made`;

/** @param {Packed} packed */
function refuseDecisions({ decisions }) {
  if (decisions === null) return;
  throw new FracasError("input", "the bundle has decisions, and nobody knows those of a battle with other dice");
}

/** @param {string | URL} address @returns {Promise<Uint8Array>} */
async function fetched(address) {
  const files = String(address).startsWith("file:") ? nodeModule("fs") : null;
  if (files !== null) return new Uint8Array(files.readFileSync(new URL(address)));
  const answer = await fetch(address);
  if (!answer.ok) throw new FracasError("input", `${String(address)} could not be fetched: status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

// How a module begins in base64: "\0asm".
const BASE64_MODULE = "AGFzbQ";

/**
 * Make a ruleset ready to play.
 *
 * @param {string | URL | Uint8Array | ArrayBuffer | WebAssembly.Module} source The module: its address, its bytes, its
 *   bytes as base64, or compiled.
 * @param {string | URL | Layout} [layout] The JSON beside it: its address, its text or the parsed object; absent, it is
 *   fetched from the module's address with the ending `.json`.
 * @returns {Promise<Rules>}
 * @throws {FracasError} It is no module of Fracas, or the layout is not its own.
 */
export async function loadRules(source, layout) {
  const isAddress = source instanceof URL || (typeof source === "string" && !source.startsWith(BASE64_MODULE));
  if (layout === undefined && !isAddress) {
    throw new FracasError("input", "a module without an address needs its layout");
  }
  const described = await readLayout(layout ?? String(source).replace(/\.wasm$/, ".json"));
  if (source instanceof WebAssembly.Module) return new Rules(checkedModule(source, described), described);
  const bytes = isAddress
    ? await fetched(/** @type {string | URL} */ (source))
    : typeof source === "string"
      ? fromBase64(source)
      : new Uint8Array(/** @type {ArrayBuffer} */ (source));
  if (bytes === null) throw new FracasError("input", "the module is not valid base64");
  if (bytes.length !== described.module.bytes) {
    throw new FracasError("input", `the layout belongs to another module of ${described.ruleset}`);
  }
  try {
    const module = await WebAssembly.compile(/** @type {any} */ (bytes));
    return new Rules(checkedModule(module, described), described);
  } catch (error) {
    if (error instanceof FracasError) throw error;
    throw new FracasError("input", `this is not a WebAssembly module: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string | URL | Layout} layout @returns {Promise<Layout>} */
async function readLayout(layout) {
  let found = /** @type {any} */ (layout);
  if (layout instanceof URL || (typeof layout === "string" && !layout.trimStart().startsWith("{"))) {
    found = new TextDecoder().decode(await fetched(layout));
  }
  if (typeof found === "string") found = JSON.parse(found);
  if (found?.format === LAYOUT_FORMAT && found.format_version === LAYOUT_VERSION) return found;
  throw new FracasError("input", "this is not the layout of a module, or one of another version of Fracas");
}

const LAYOUT_FORMAT = "fracas rules module";
const LAYOUT_VERSION = 1;

/** @param {WebAssembly.Module} module @param {Layout} layout @returns {WebAssembly.Module} */
function checkedModule(module, layout) {
  const has = new Set(WebAssembly.Module.exports(module).map((each) => each.name));
  const wants = WebAssembly.Module.imports(module).map((each) => `${each.module}.${each.name}`);
  const isSound = ["simulate", "play", "prepare", "__heap_base"].every((name) => has.has(name));
  if (isSound && wants.length === 1 && wants[0] === "env.memory") return module;
  throw new FracasError("input", `this is not a module of ${layout.ruleset}`);
}
