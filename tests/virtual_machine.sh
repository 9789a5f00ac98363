#!/bin/sh
# Starts a virtual machine with control groups, which uses the files of this machine (see README.md).
# It needs root, and on Debian:
# apt-get install qemu-system-x86 linux-image-amd64 busybox-static cpio  (the cloud kernel has no 9p)
set -eu
cd "$(mktemp -d)"
kernel=$(ls /lib/modules | grep -v cloud | tail -1)
mkdir -p vm/modules vm/bin vm/dev vm/proc vm/host vm/own vm/root && cp /bin/busybox vm/bin
for module in virtio_pci 9pnet_virtio 9p overlay; do modprobe -S "$kernel" --show-depends $module; done |
    awk '/^insmod/ && !seen[$2]++ {print $2}' > vm/paths
xargs -a vm/paths cp -t vm/modules && sed 's|.*/|/modules/|' vm/paths > vm/order
cat > vm/init <<'END'
#!/bin/busybox sh
b=/bin/busybox
$b mount -t devtmpfs dev /dev
for module in $($b cat /order); do $b insmod $module; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144,cache=loose,ro host /host
$b mount -t tmpfs own /own && $b mkdir /own/upper /own/work
$b mount -t overlay -o lowerdir=/host,upperdir=/own/upper,workdir=/own/work root /root
$b mount --move /dev /root/dev
exec $b switch_root /root /bin/sh -c '
    mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t cgroup2 cgroup2 /sys/fs/cgroup
    mkdir -p /dev/shm /dev/pts; mount -t tmpfs shm /dev/shm; mount -t devpts pts /dev/pts
    mount -t tmpfs run /run; exec setsid -c sh'
END
chmod +x vm/init && (cd vm && find . | cpio -o -H newc | gzip) > vm.gz
qemu-system-x86_64 -cpu max -smp 2 -m 2048 -nographic -no-reboot -nic none \
    -kernel "/boot/vmlinuz-$kernel" -initrd vm.gz -append "console=ttyS0 quiet panic=-1" \
    -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap
