// Package reeve carries out tasks of Reeve: `reeve run -- ./worker`.
//
//	reeve.Handle("resize_image", func(t *reeve.Task) (any, error) { return map[string]int{"width": 10}, nil })
//	reeve.Run(10)
//
// An error fails the task; Final says that another attempt is of no use, and Retry asks for a wait.  One file, no dependencies.
package reeve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

const (
	lineBytes = 1048576 // longest line that Reeve takes
	depth     = 2000    // deepest nesting that Reeve takes
)

// What must be looked at closely: an escape, a long number.
var odd = regexp.MustCompile(`\\u|\d{19}`)

// Task is a task with its payload.  Context ends when the task is cancelled.
type Task struct {
	ID          string          `json:"id"`
	Type        string          `json:"type"`
	Attempt     int             `json:"attempt"`
	Payload     json.RawMessage `json:"payload"`
	Key         string          `json:"key"`
	Deadline    *float64        `json:"deadline"`
	Traceparent *string         `json:"traceparent"`
	Cancel      string          `json:"cancel"`
	Stop        bool            `json:"stop"`
	Ping        int             `json:"ping"`
	Context     context.Context `json:"-"`
}

// Final is an error after which another attempt is of no use.
type Final struct{ Message string }

func (e Final) Error() string { return e.Message }

// Retry is an error that asks for the next attempt after some seconds.
type Retry struct {
	Message string
	After   float64
}

func (e Retry) Error() string { return e.Message }

// Function does the tasks of one type.
type Function func(*Task) (any, error)

type answer struct {
	ID         string   `json:"id"`
	Result     any      `json:"result"`
	Error      *string  `json:"error,omitempty"`
	Final      bool     `json:"final,omitempty"`
	RetryAfter *float64 `json:"retry_after,omitempty"`
}

var (
	functions = map[string]Function{}
	types     []string
	out       *os.File
	lock      sync.Mutex
)

// Handle registers the function that does a task type.
func Handle(name string, function Function) {
	functions[name] = function
	types = append(types, name)
}

// check says what Reeve or PostgreSQL would not take in a value.
func check(value any, level int) error {
	if level > depth {
		return fmt.Errorf("it is nested deeper than %d levels", depth)
	}
	switch it := value.(type) {
	case string:
		if strings.ContainsRune(it, 0) {
			return errors.New("a text has the character NUL")
		}
	case json.Number:
		if _, err := it.Int64(); err != nil && !strings.ContainsAny(it.String(), ".eE") {
			return errors.New("a whole number has more than 64 bits")
		}
	case []any:
		for _, element := range it {
			if err := check(element, level+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, element := range it {
			if err := check(name, level); err != nil {
				return err
			}
			if err := check(element, level+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// encode makes the line of a message, or says why it cannot be one.
func encode(message any) ([]byte, error) {
	line, err := json.Marshal(message)
	if err == nil && (len(line) > depth || odd.Match(line)) {
		var value any
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		if err = decoder.Decode(&value); err == nil {
			err = check(value, 0)
		}
		if err == nil {
			line, err = json.Marshal(value) // half of a surrogate pair has become U+FFFD
		}
	}
	if err == nil && len(line) >= lineBytes {
		err = fmt.Errorf("it has %d bytes, over the limit of 1 MiB", len(line)+1)
	}
	return append(line, '\n'), err
}

func write(message any) error {
	line, err := encode(message)
	if err != nil {
		return err
	}
	lock.Lock()
	defer lock.Unlock()
	if _, err := out.Write(line); err != nil {
		os.Exit(1) // nobody reads any more
	}
	return nil
}

// Read reads the payload into a value, as json.Unmarshal does.
func (t *Task) Read(into any) error { return json.Unmarshal(t.Payload, into) }

// Progress reports how far the task is; any value that is JSON.  An error: it is none.
func (t *Task) Progress(value any) error {
	return write(map[string]any{"id": t.ID, "progress": value})
}

// call calls the function.  A panic is an error of this task alone, and so is the end of its goroutine.
func call(t *Task) (result any, err error) {
	done := make(chan struct{})
	err = errors.New("the function ended its goroutine")
	go func() {
		defer close(done)
		defer func() {
			if it := recover(); it != nil {
				fmt.Fprintf(os.Stderr, "panic: %v\n%s", it, debug.Stack())
				err = fmt.Errorf("panic: %v", it)
			}
		}()
		result, err = functions[t.Type](t)
	}()
	<-done
	return result, err
}

func work(t *Task) {
	it := answer{ID: t.ID}
	result, err := call(t)
	if err == nil {
		it.Result = result
		if err = write(it); err == nil {
			return
		}
		err = Final{"the result is not JSON: " + err.Error()}
	}
	text := strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), "\x00", "\uFFFD")
	if len(text) > 8192 {
		text = strings.ToValidUTF8(text[:8192], "")
	}
	it.Error = &text
	it.Result = nil
	var final Final
	var retry Retry
	if errors.As(err, &final) {
		it.Final = true
	} else if errors.As(err, &retry) {
		it.RetryAfter = &retry.After
	}
	_ = write(it)
}

// Run serves tasks, at most atOnce at the same time, until Reeve says stop.
func Run(atOnce int) {
	in, err := strconv.Atoi(os.Getenv("REEVE_READ_FD"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "start this program with: reeve run --", os.Args[0])
		os.Exit(1)
	}
	number, _ := strconv.Atoi(os.Getenv("REEVE_WRITE_FD"))
	out = os.NewFile(uintptr(number), "reeve")
	if number == 1 { // --stdio: what is printed must not get into the protocol
		os.Stdout = os.Stderr
	}
	if err := write(map[string]any{"hello": 1, "types": types, "at_once": atOnce, "ping": true}); err != nil {
		panic(err)
	}
	reader := bufio.NewReaderSize(os.NewFile(uintptr(in), "reeve"), 65536)
	running := sync.Map{}
	var group sync.WaitGroup
	for {
		line, err := reader.ReadBytes('\n')
		task := &Task{}
		if err != nil || json.Unmarshal(line, task) != nil || task.Stop {
			break
		}
		if task.Ping != 0 {
			_ = write(map[string]int{"pong": task.Ping})
			continue
		}
		if task.Cancel != "" {
			if cancel, ok := running.Load(task.Cancel); ok {
				cancel.(context.CancelFunc)()
			}
			continue
		}
		var cancel context.CancelFunc
		task.Context, cancel = context.WithCancel(context.Background())
		running.Store(task.ID, cancel)
		group.Add(1)
		go func() {
			defer group.Done()
			work(task)
			running.Delete(task.ID)
			cancel()
		}()
	}
	group.Wait()
}
